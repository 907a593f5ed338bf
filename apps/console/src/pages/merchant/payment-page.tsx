import { ColorInput, TextInput } from '@mantine/core';
import { Card } from '@munshi/web-ui';
import { useState } from 'react';
import { LogoField } from './logo-field.tsx';
import classes from './merchant.module.css';
import type { TabProps } from './page.tsx';
import { PagePreview, usePagePreview } from './page-preview.tsx';
import { SaveBar } from './save-bar.tsx';
import { texts } from './texts.ts';
import { useChange } from './use-change.ts';

const FIELDS = ['displayName', 'supportEmail', 'supportPhone', 'supportUrl'] as const;
type Field = (typeof FIELDS)[number];

const orNull = (value: string) => (value.trim() === '' ? null : value.trim());

/** What customers see of the merchant on the payment page, and the page as it is typed. */
export function PageTab({ merchant }: TabProps) {
  const change = useChange(merchant);
  const [colour, setColour] = useState(merchant.brandColour ?? '');
  /** A picture that was chosen, null to take it away, undefined to leave it. */
  const [logo, setLogo] = useState<string | null>();
  const [values, setValues] = useState<Readonly<Record<Field, string>>>({
    displayName: merchant.displayName ?? '',
    supportEmail: merchant.supportEmail ?? '',
    supportPhone: merchant.supportPhone ?? '',
    supportUrl: merchant.supportUrl ?? '',
  });
  const typed = {
    brandColour: orNull(colour),
    displayName: orNull(values.displayName),
    supportEmail: orNull(values.supportEmail),
    supportPhone: orNull(values.supportPhone),
    supportUrl: orNull(values.supportUrl),
    ...(logo !== undefined && { logo }),
  };
  const preview = usePagePreview(merchant.merchantId, typed);
  return (
    <div className={classes['page-tab']}>
      <Card>
        <p className={classes['hint']}>{texts.pageHint}</p>
        <form
          className={classes['form']}
          onChange={change.touch}
          onSubmit={(event) => {
            event.preventDefault();
            void change.save(typed);
          }}
        >
          <TextField name="displayName" {...{ values, setValues, change }} />
          <ColorInput
            label={texts.brandColour}
            description={texts.colourHint}
            disabled={!change.mayChange}
            withEyeDropper={false}
            value={colour}
            onChange={setColour}
          />
          <LogoField
            shown={logo === null ? null : preview.logo}
            disabled={!change.mayChange}
            onChange={(picture) => {
              setLogo(picture);
              change.touch();
            }}
          />
          {FIELDS.slice(1).map((name) => (
            <TextField key={name} {...{ name, values, setValues, change }} />
          ))}
          <SaveBar change={change} />
        </form>
      </Card>
      <PagePreview preview={preview} />
    </div>
  );
}

function TextField({
  name,
  values,
  setValues,
  change,
}: {
  readonly name: Field;
  readonly values: Readonly<Record<Field, string>>;
  setValues(values: Readonly<Record<Field, string>>): void;
  readonly change: ReturnType<typeof useChange>;
}) {
  return (
    <TextInput
      label={texts[name]}
      disabled={!change.mayChange}
      value={values[name]}
      onChange={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
    />
  );
}

import { ColorInput, TextInput } from '@mantine/core';
import { Card } from '@munshi/web-ui';
import { useState } from 'react';
import classes from './merchant.module.css';
import type { TabProps } from './page.tsx';
import { SaveBar } from './save-bar.tsx';
import { texts } from './texts.ts';
import { useChange } from './use-change.ts';

const FIELDS = ['displayName', 'supportEmail', 'supportPhone', 'supportUrl'] as const;
type Field = (typeof FIELDS)[number];

const orNull = (value: string) => (value.trim() === '' ? null : value.trim());

/** What customers see of the merchant on the payment page. */
export function PageTab({ merchant }: TabProps) {
  const change = useChange(merchant);
  const [colour, setColour] = useState(merchant.brandColour ?? '');
  const [values, setValues] = useState<Readonly<Record<Field, string>>>({
    displayName: merchant.displayName ?? '',
    supportEmail: merchant.supportEmail ?? '',
    supportPhone: merchant.supportPhone ?? '',
    supportUrl: merchant.supportUrl ?? '',
  });
  return (
    <Card>
      <p className={classes['hint']}>{texts.pageHint}</p>
      <form
        className={classes['form']}
        onChange={change.touch}
        onSubmit={(event) => {
          event.preventDefault();
          void change.save({
            brandColour: orNull(colour),
            displayName: orNull(values.displayName),
            supportEmail: orNull(values.supportEmail),
            supportPhone: orNull(values.supportPhone),
            supportUrl: orNull(values.supportUrl),
          });
        }}
      >
        {FIELDS.map((field) => (
          <TextInput
            key={field}
            label={texts[field]}
            disabled={!change.mayChange}
            value={values[field]}
            onChange={({ currentTarget }) => setValues({ ...values, [field]: currentTarget.value })}
          />
        ))}
        <ColorInput
          label={texts.brandColour}
          description={texts.colourHint}
          disabled={!change.mayChange}
          withEyeDropper={false}
          value={colour}
          onChange={setColour}
        />
        <div>
          <div className="quiet">{texts.logo}</div>
          {merchant.logo === null ? (
            texts.noLogo
          ) : (
            <img className={classes['logo']} src={merchant.logo} alt={texts.logo} />
          )}
        </div>
        <SaveBar change={change} />
      </form>
    </Card>
  );
}

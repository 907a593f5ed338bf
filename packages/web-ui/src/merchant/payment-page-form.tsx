import { ColorInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../page.tsx';
import { LogoField } from './logo-field.tsx';
import classes from './merchant.module.css';
import { pageFields } from './page-fields.ts';
import { type DrawPage, PagePreview, type TypedPage, usePagePreview } from './page-preview.tsx';
import { SaveBar } from './save-bar.tsx';
import type { Save } from './use-save.ts';

const FIELDS = ['displayName', 'supportEmail', 'supportPhone', 'supportUrl'] as const;
type Field = (typeof FIELDS)[number];

const fieldsOf = <Value,>(read: (name: Field) => Value) =>
  Object.fromEntries(FIELDS.map((name) => [name, read(name)])) as Record<Field, Value>;
const orNull = (value: string) => (value.trim() === '' ? null : value.trim());

interface PaymentPageProps {
  /** As it is stored; another one is another form. */
  readonly page: Readonly<Record<Field | 'brandColour', string | null>>;
  readonly change: Save<TypedPage>;
  /** Asks the service for the page as it would be. */
  readonly draw: DrawPage;
}

/** What customers see of a merchant on the payment page, and the page as it is typed. */
export function PaymentPageForm({ page, change, draw }: PaymentPageProps) {
  const [colour, setColour] = useState(page.brandColour ?? '');
  /** A picture that was chosen, null to take it away, undefined to leave it. */
  const [logo, setLogo] = useState<string | null>();
  const [values, setValues] = useState(() => fieldsOf((name) => page[name] ?? ''));
  const typed: TypedPage = {
    brandColour: orNull(colour),
    ...fieldsOf((name) => orNull(values[name])),
    ...(logo !== undefined && { logo }),
  };
  const preview = usePagePreview(typed, draw);
  const field = (name: Field) => (
    <TextInput
      key={name}
      label={pageFields[name]}
      disabled={!change.mayChange}
      value={values[name]}
      onChange={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
    />
  );
  return (
    <div className={classes['page-tab']}>
      <Card>
        <p className={classes['hint']}>What customers see on the payment page.</p>
        <form
          className={classes['form']}
          onChange={change.touch}
          onSubmit={(event) => {
            event.preventDefault();
            void change.save(typed);
          }}
        >
          {field('displayName')}
          <ColorInput
            label={pageFields.brandColour}
            description="#rrggbb; empty: ours."
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
          {FIELDS.slice(1).map(field)}
          <SaveBar change={change} typed={typed} />
        </form>
      </Card>
      <PagePreview preview={preview} />
    </div>
  );
}

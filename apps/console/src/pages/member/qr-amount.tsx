import { Switch } from '@mantine/core';
import { texts } from './texts.ts';

const { newAccount: words } = texts;

/** Whether an account's QR code is shown with the order's amount in it. */
export const QrAmount = ({
  value,
  onChange,
}: {
  readonly value: boolean;
  onChange(value: boolean): void;
}) => (
  <Switch
    label={words.withAmount}
    description={words.withAmountHint}
    checked={value}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);

import {
  Checkbox,
  Group,
  Select,
  Switch,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { exactDurationText, plainDigits, readAmount } from '@munshi/web';
import { type ReactNode, useState } from 'react';
import classes from './fields.module.css';
import { fieldError } from './states.tsx';

/** A form is declared by its fields: what is typed, what differs and what is wrong follow. */

interface ControlProps {
  readonly label: string;
  readonly description?: ReactNode;
  readonly error: string | null;
  readonly value: string;
  onChange(typed: string): void;
  readonly 'data-autofocus'?: true;
}

/** How a value is typed. */
export interface Field<Value> {
  readonly hint?: ReactNode;
  /** Follows the label: `PKR`. */
  readonly unit?: string;
  /** Needs no whole line. */
  readonly short?: boolean;
  /** What to do about text that is no value. */
  readonly wrong?: string;
  typed(value: Value): string;
  /** Undefined: the text is no value. */
  read(typed: string): Value | undefined;
  control(props: ControlProps): ReactNode;
}
export type FieldsOf<Values> = { readonly [Name in keyof Values]: Field<Values[Name]> };
type Options = Pick<Field<never>, 'hint' | 'wrong'>;

const input =
  (own: TextInputProps) =>
  ({ onChange, ...props }: ControlProps) => (
    <TextInput
      autoComplete="off"
      {...own}
      {...props}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );

/** One line, not empty. */
export const textField = ({
  maxLength,
  type = 'text',
  ...options
}: Options & {
  readonly maxLength: number;
  readonly type?: 'text' | 'email' | 'url';
}): Field<string> => ({
  wrong: 'This is needed.',
  ...options,
  typed: (value) => value,
  read: (typed) => typed.trim() || undefined,
  control: input({ maxLength, type }),
});

/** A person's name, as the service takes it. */
export const nameField: Field<string> = textField({ maxLength: 60 });

/** Not empty, and without spaces. */
export const usernameField: Field<string> = {
  hint: 'They sign in with it. Unique, without spaces.',
  wrong: 'Without spaces, and not empty.',
  typed: (value) => value,
  read: (typed) => (/^\S+$/.test(typed.trim()) ? typed.trim() : undefined),
  control: input({ maxLength: 100, autoCapitalize: 'none', spellCheck: false }),
};

/** Several lines, not empty. */
export const linesField = (options: Options): Field<string> => ({
  ...options,
  typed: (value) => value,
  read: (typed) => typed.trim() || undefined,
  control: ({ onChange, ...props }) => (
    <Textarea
      {...props}
      autosize
      minRows={1}
      maxRows={5}
      spellCheck={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ),
});

/** A whole number. */
export const countField = ({
  least,
  most,
  ...options
}: Options & { readonly least: number; readonly most: number }): Field<number> => ({
  wrong: `A whole number from ${least} to ${most}.`,
  ...options,
  typed: String,
  read(typed) {
    const digits = plainDigits(typed.trim());
    const count = Number(digits);
    return /^\d{1,9}$/.test(digits) && count >= least && count <= most ? count : undefined;
  },
  control: input({ inputMode: 'numeric' }),
});

/** Seconds, typed as minutes. */
export const minutesField = (least: number): Field<number> => ({
  unit: 'minutes',
  wrong: `At least ${exactDurationText(least)}.`,
  typed: (seconds) => String(Number((seconds / 60).toFixed(2))),
  read(typed) {
    const digits = plainDigits(typed.trim());
    const seconds = Math.round(Number(digits) * 60);
    return /^\d{1,6}(\.\d+)?$/.test(digits) && seconds >= least ? seconds : undefined;
  },
  control: input({ inputMode: 'decimal' }),
});

/** An exact amount in wallet currency. */
export const amountField = (options: Options = {}): Field<string> => ({
  unit: 'PKR',
  short: true,
  wrong: 'An amount such as 25000 or 25000.50.',
  ...options,
  typed: (amount) => amount,
  read: readAmount,
  control: input({ inputMode: 'decimal', placeholder: 'None' }),
});

export const switchField = (options: Options = {}): Field<boolean> => ({
  ...options,
  typed: String,
  read: (typed) => typed === 'true',
  control: ({ value, onChange, ...props }) => (
    <Switch
      {...props}
      checked={value === 'true'}
      onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
    />
  ),
});

/** One of a few, each with its label. */
export const choiceField = <Value extends string>(
  labels: Readonly<Record<Value, string>>,
): Field<Value> => ({
  typed: (value) => value,
  read: (typed) => typed as Value,
  control: ({ onChange, ...props }) => (
    <Select
      {...props}
      data={Object.entries<string>(labels).map(([value, label]) => ({ value, label }))}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen ?? props.value)}
    />
  ),
});

/** Some of a few. */
export const choicesField = <Value extends string>(
  choices: readonly Value[],
  options: Options = {},
): Field<readonly Value[]> => ({
  ...options,
  typed: (values) => choices.filter((choice) => values.includes(choice)).join(' '),
  read: (typed) => choices.filter((choice) => typed.split(' ').includes(choice)),
  control: ({ value, onChange, 'data-autofocus': _, ...props }) => (
    <Checkbox.Group
      {...props}
      value={value.split(' ')}
      onChange={(chosen) => onChange(chosen.join(' ').trim())}
    >
      <Group mt="xs">
        {choices.map((choice) => (
          <Checkbox key={choice} value={choice} label={choice} />
        ))}
      </Group>
    </Checkbox.Group>
  ),
});

/** Nothing typed is null. */
export const optional = <Value,>(field: Field<Value>): Field<Value | null> => ({
  ...field,
  typed: (value) => (value === null ? '' : field.typed(value)),
  read: (typed) => (typed.trim() === '' ? null : field.read(typed)),
});

export interface Form<Values> {
  readonly names: readonly (keyof Values & string)[];
  /** What is typed, to be sent if it is whole. */
  readonly values: Values;
  /** False while something typed is no value. */
  readonly isWhole: boolean;
  readonly before: Values;
  /** The values that differ from those before; none while the form is not whole. */
  readonly changed: Partial<Values>;
  /** The fields, or those that are named, with what the service has refused of them. */
  show(refusal: Error | null, names?: readonly (keyof Values & string)[]): ReactNode;
}

/**
 * What is typed in a form. It begins with the values before, which stay as they were when the form
 * opened: what another person changes meanwhile is not undone.
 */
export function useForm<Values extends object>(
  fields: FieldsOf<Values>,
  labelOf: (name: string) => string,
  given: NoInfer<Values>,
): Form<Values> {
  const names = Object.keys(fields) as (keyof Values & string)[];
  const of = <Value,>(value: (name: keyof Values & string) => Value) =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as Record<keyof Values, Value>;
  const [before] = useState(given);
  const [first] = useState(() => of((name) => fields[name].typed(before[name])));
  const [typed, setTyped] = useState(first);
  const values = of((name) => fields[name].read(typed[name])) as Values;
  const isWhole = names.every((name) => values[name] !== undefined);
  const differing = isWhole
    ? names.filter((name) => fields[name].typed(values[name]) !== first[name])
    : [];
  const wrongOf = (name: keyof Values) =>
    values[name] === undefined && typed[name] !== first[name] ? (fields[name].wrong ?? null) : null;
  return {
    names,
    values,
    isWhole,
    before,
    changed: Object.fromEntries(differing.map((name) => [name, values[name]])) as Partial<Values>,
    show: (refusal, shown = names) => (
      <div className={classes['fields']}>
        {shown.map((name) => {
          const { hint, unit, short = false, control } = fields[name];
          return (
            <div key={name} data-short={short}>
              {control({
                label: unit === undefined ? labelOf(name) : `${labelOf(name)}, ${unit}`,
                ...(hint !== undefined && { description: hint }),
                ...(name === shown[0] && { 'data-autofocus': true }),
                error: wrongOf(name) ?? fieldError(refusal, name),
                value: typed[name],
                onChange: (text) => setTyped({ ...typed, [name]: text }),
              })}
            </div>
          );
        })}
      </div>
    ),
  };
}

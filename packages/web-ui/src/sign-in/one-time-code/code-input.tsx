import { TextInput } from '@mantine/core';
import { plainDigits } from '@munshi/web';
import { useEffect, useRef } from 'react';
import classes from './one-time-code.module.css';

/**
 * Six digits of an app, or with `recovery` one of the recovery codes. It takes the focus, unless it
 * appears beside a field that is being filled in.
 */
export function CodeInput({
  value,
  onChange,
  missing = false,
  error = null,
  recovery = false,
  takesFocus = true,
  keepsEscape = false,
}: {
  readonly value: string;
  onChange(value: string): void;
  readonly missing?: boolean;
  /** What is wrong with the code. */
  readonly error?: string | null;
  readonly recovery?: boolean;
  readonly takesFocus?: boolean;
  /** Escape is not for the dialog below. */
  readonly keepsEscape?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [recovery, takesFocus]);
  return (
    <TextInput
      ref={input}
      className={classes['code']}
      label={recovery ? 'Recovery code' : 'One-time code'}
      description={
        recovery
          ? 'One of the ten that you kept, such as ABCD-EFGH-IJKL-MNOP.'
          : 'Six digits. A new one comes every 30 seconds.'
      }
      inputMode={recovery ? 'text' : 'numeric'}
      autoComplete="one-time-code"
      autoCapitalize={recovery ? 'characters' : 'none'}
      spellCheck={false}
      maxLength={recovery ? 40 : 6}
      value={value}
      error={missing ? 'Fill this in.' : error}
      data-mantine-stop-propagation={keepsEscape}
      onChange={({ currentTarget }) =>
        onChange(
          recovery ? currentTarget.value : plainDigits(currentTarget.value).replaceAll(/\D/g, ''),
        )
      }
    />
  );
}

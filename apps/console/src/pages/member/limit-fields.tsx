import { TextInput } from '@mantine/core';
import { readAmount } from '@munshi/web';
import { fieldError } from '@munshi/web-ui';
import { useState } from 'react';
import classes from './member.module.css';
import type { Account } from './shown.ts';
import { texts } from './texts.ts';

export const LIMITS = ['minimumPerOrder', 'maximumPerOrder', 'maximumPerDay'] as const;
type Limit = (typeof LIMITS)[number];
type Limits = Pick<Account, Limit>;
export const NO_LIMITS: Limits = {
  minimumPerOrder: null,
  maximumPerOrder: null,
  maximumPerDay: null,
};

interface TypedLimits {
  readonly typed: Readonly<Record<Limit, string>>;
  type(limit: Limit, text: string): void;
  /** An exact amount; null: no limit; undefined: what was typed is no amount. */
  of(limit: Limit): string | null | undefined;
  /** Those that are not as they were. */
  readonly changed: readonly Limit[];
  readonly isWrong: boolean;
}

/** Limits of an account as they are typed. Nothing typed is no limit. */
export function useLimits(before: Limits): TypedLimits {
  const [typed, setTyped] = useState<Readonly<Record<Limit, string>>>({
    minimumPerOrder: before.minimumPerOrder ?? '',
    maximumPerOrder: before.maximumPerOrder ?? '',
    maximumPerDay: before.maximumPerDay ?? '',
  });
  const of = (limit: Limit) => (typed[limit].trim() === '' ? null : readAmount(typed[limit]));
  return {
    typed,
    type: (limit, text) => setTyped({ ...typed, [limit]: text }),
    of,
    changed: LIMITS.filter((limit) => of(limit) !== before[limit]),
    isWrong: LIMITS.some((limit) => of(limit) === undefined),
  };
}

export function LimitFields({
  limits,
  error,
  autoFocus = false,
}: {
  readonly limits: TypedLimits;
  /** The refusal of the service. */
  readonly error: Error | null;
  readonly autoFocus?: boolean;
}) {
  return (
    <div className={classes['fields']}>
      {LIMITS.map((limit, at) => (
        <TextInput
          key={limit}
          label={texts.limitNames[limit]}
          placeholder={texts.noLimit}
          inputMode="decimal"
          autoComplete="off"
          {...(autoFocus && at === 0 && { 'data-autofocus': true })}
          error={limits.of(limit) === undefined ? texts.limitWrong : fieldError(error, limit)}
          value={limits.typed[limit]}
          onChange={({ currentTarget: { value } }) => limits.type(limit, value)}
        />
      ))}
    </div>
  );
}

import type { AccountChange, Given, NewAccount, OwnAccount } from '@munshi/api';
import { type Instant, usedOn } from '@munshi/core';
import { moneyOrZero, positiveMoney, readBody, type Sources } from '../platform/http/values.ts';
import { type AccountFields, type AccountRecord, DEFAULTS } from './accounts.store.ts';

/** Accounts of members, as the member and the operator face read and show them. */

const LIMITS = {
  minimumPerOrder: moneyOrZero,
  maximumPerOrder: positiveMoney,
  maximumPerDay: positiveMoney,
};

/** The body of a new account. Throws FieldErrors for amounts. */
export const accountFields = (request: Sources & { readonly body: NewAccount }): AccountFields => ({
  ...DEFAULTS,
  ...readBody(request, LIMITS),
});

/** What an operator changes of an account. Throws FieldErrors for amounts. */
export const accountChange = (
  request: Sources & { readonly body: AccountChange },
): Given<AccountChange> => readBody(request, LIMITS);

/** The account's state at that time. */
export const showAccount = (account: AccountRecord, at: Instant): Given<OwnAccount> => ({
  ...account,
  usedToday: usedOn(account, at),
});

import type { AccountLimitsChange, Given, NewAccount, OwnAccount } from '@munshi/api';
import { type Instant, usedOn } from '@munshi/core';
import { exactNumbers, moneyOrZero, positiveMoney, type Sources } from '../platform/http/values.ts';
import type { AccountFields } from './accounts.service.ts';
import type { AccountRecord } from './accounts.store.ts';

/** Accounts of members, as the member and the operator face read and show them. */

/** The body of a new account. Throws FieldErrors for amounts. */
export function accountFields(request: Sources & { readonly body: NewAccount }): AccountFields {
  const {
    walletType,
    accountNumber,
    accountTitle,
    qrPayload = null,
    qrAmount = true,
  } = request.body;
  const {
    minimumPerOrder = null,
    maximumPerOrder = null,
    maximumPerDay = null,
  } = exactNumbers(request, {
    minimumPerOrder: moneyOrZero,
    maximumPerOrder: positiveMoney,
    maximumPerDay: positiveMoney,
  });
  return {
    walletType,
    accountNumber,
    accountTitle,
    qrPayload,
    qrAmount,
    minimumPerOrder,
    maximumPerOrder,
    maximumPerDay,
  };
}

/** What an operator changes of an account. Throws FieldErrors for amounts. */
export function accountChange(request: Sources & { readonly body: AccountLimitsChange }) {
  const { qrAmount } = request.body;
  const { minimumPerOrder, maximumPerOrder, maximumPerDay } = exactNumbers(request, {
    minimumPerOrder: moneyOrZero,
    maximumPerOrder: positiveMoney,
    maximumPerDay: positiveMoney,
  });
  return {
    ...(qrAmount !== undefined && { qrAmount }),
    ...(minimumPerOrder !== undefined && { minimumPerOrder }),
    ...(maximumPerOrder !== undefined && { maximumPerOrder }),
    ...(maximumPerDay !== undefined && { maximumPerDay }),
  };
}

/** The account's state at that time. */
export const showAccount = (account: AccountRecord, at: Instant): Given<OwnAccount> => ({
  ...account,
  usedToday: usedOn(account, at),
});

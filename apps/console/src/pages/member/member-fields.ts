import { type AccountChange, CAPACITY_MAX, CURRENCIES } from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  amountField,
  choicesField,
  countField,
  type FieldsOf,
  nameField,
  optional,
  switchField,
  textField,
  usernameField,
} from '@munshi/web-ui';

import type { Account, TabProps } from './shown.ts';

/** What can be typed of a member and an account. */

export const NAMES = {
  name: nameField,
  username: usernameField,
  phone: optional(textField({ maxLength: 40, hint: 'Such as +92 300 1234567.' })),
};
/** Orders in hand at most, where nothing else is chosen. */
export const NEW_MEMBER_CAPACITY = 10;

export const capacityField = (hint: string) => countField({ least: 0, most: CAPACITY_MAX, hint });

const limit = optional(amountField());
/** What is typed of an account when it is added or changed. */
export const ACCOUNT = {
  currencies: optional(
    choicesField(CURRENCIES, { hint: 'Only orders in these come to it. None ticked: all.' }),
  ),
  minimumPerOrder: limit,
  maximumPerOrder: limit,
  maximumPerDay: limit,
  qrAmount: switchField({
    hint: 'For EMVCo codes of the order’s currency; others are shown as they are.',
  }),
} satisfies FieldsOf<Required<AsText<AccountChange>>>;
/** Before anything is typed. */
export const NEW_ACCOUNT = {
  currencies: null,
  minimumPerOrder: null,
  maximumPerOrder: null,
  maximumPerDay: null,
  qrAmount: true,
};
interface Shown {
  readonly qrPayload: string | null | undefined;
  readonly currencies: Account['currencies'];
}

/**
 * Without a code there is nothing to choose about it, nor of currencies where merchants take one,
 * unless the account is limited to some.
 */
export const namesShown = <Name extends string>(
  names: readonly Name[],
  { qrPayload, currencies }: Shown,
  { orderCurrencies }: Pick<TabProps['standing'], 'orderCurrencies'>,
) =>
  names.filter(
    (name) =>
      (qrPayload !== null || name !== 'qrAmount') &&
      (orderCurrencies.length > 1 || currencies !== null || name !== 'currencies'),
  );

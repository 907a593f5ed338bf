import { ACCOUNT_STATUSES, QR_PAYLOAD_BYTES_MAX } from '@munshi/core';
import Type from 'typebox';
import type { BodyOf } from './contract/endpoint.ts';
import {
  CURRENCY,
  changeOf,
  METHODS,
  money,
  namedEnum,
  optional,
  orNull,
  strictObject,
  text,
  time,
} from './contract/schemas.ts';

/** Accounts that members receive into and pay from, as the member and operator faces have them. */

export const ACCOUNT_STATUS = namedEnum('AccountStatus', ACCOUNT_STATUSES);

/**
 * What may be changed of an account, as answers have it too. What no one sets is null at first;
 * `qrAmount` is on.
 */
const CHANGEABLE = {
  currencies: orNull(
    Type.Array(CURRENCY, {
      uniqueItems: true,
      minItems: 1,
      description: 'Of the orders that it takes; null: of every currency.',
    }),
  ),
  qrAmount: Type.Boolean({
    description:
      'Whether the QR code is shown with the order’s amount in it, if it is an EMVCo code of the order’s currency; else it is shown as it is. On by default.',
  }),
  minimumPerOrder: orNull(money('In PKR, 0 or more.')),
  maximumPerOrder: orNull(money('In PKR, above 0 and not below the minimum.')),
  maximumPerDay: orNull(money('In PKR, above 0; by UTC days.')),
};

/** Of more than one, the account is added with those that it takes. */
export const ORDER_CURRENCIES = Type.Array(CURRENCY, {
  description: 'Currencies in which merchants create orders.',
});

export const accountFields = {
  accountId: Type.String({ format: 'uuid' }),
  walletType: METHODS,
  accountNumber: Type.String(),
  accountTitle: Type.String(),
  qrPayload: orNull(Type.String()),
  status: ACCOUNT_STATUS,
  createdAt: time,
  paused: Type.Boolean({
    description: 'Its member takes no new orders on it for now; those in hand stay.',
  }),
  ...CHANGEABLE,
  usedToday: money('Taken on during this day, UTC.'),
};

export type NewAccount = BodyOf<{ readonly body: typeof NEW_ACCOUNT }>;
export const NEW_ACCOUNT = strictObject({
  walletType: METHODS,
  accountNumber: text(50, 'Spaces around it are left out.'),
  accountTitle: text(200, 'The name that customers see when they pay.'),
  qrPayload: optional(
    orNull(
      text(
        QR_PAYLOAD_BYTES_MAX,
        `What the QR code holds: at most ${QR_PAYLOAD_BYTES_MAX} bytes of UTF-8.`,
      ),
    ),
  ),
  ...Type.Partial(Type.Object(CHANGEABLE)).properties,
});

/** By operators. */
export type AccountChange = BodyOf<{ readonly body: typeof ACCOUNT_CHANGE }>;
export const ACCOUNT_CHANGE = changeOf(CHANGEABLE);

/** By the member whose it is. */
export const OWN_ACCOUNT_CHANGE = strictObject({ qrAmount: CHANGEABLE.qrAmount });

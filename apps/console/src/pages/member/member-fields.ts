import { type AccountChange, CAPACITY_MAX } from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  amountField,
  countField,
  type FieldsOf,
  nameField,
  optional,
  switchField,
  usernameField,
} from '@munshi/web-ui';

/** What can be typed of a member and an account. */

export const NAMES = { name: nameField, username: usernameField };

export const capacityField = (hint: string) => countField({ least: 0, most: CAPACITY_MAX, hint });

const limit = optional(amountField());
/** What is typed of an account when it is added or changed. */
export const ACCOUNT = {
  minimumPerOrder: limit,
  maximumPerOrder: limit,
  maximumPerDay: limit,
  qrAmount: switchField({
    hint: 'For EMVCo codes of the order’s currency; others are shown as they are.',
  }),
} satisfies FieldsOf<Required<AsText<AccountChange>>>;
/** Before anything is typed. */
export const NEW_ACCOUNT = {
  minimumPerOrder: null,
  maximumPerOrder: null,
  maximumPerDay: null,
  qrAmount: true,
};
/** Without a code there is nothing to choose about it. */
export const namesShown = <Name extends string>(
  names: readonly Name[],
  qrPayload: string | null | undefined,
) => names.filter((name) => qrPayload !== null || name !== 'qrAmount');

import { CAPACITY_MAX } from '@munshi/api';
import {
  amountField,
  countField,
  nameField,
  optional,
  switchField,
  usernameField,
} from '@munshi/web-ui';

/** What can be typed of a member and an account. */

export const NAMES = { name: nameField, username: usernameField };

export const capacityField = (hint: string) => countField({ least: 0, most: CAPACITY_MAX, hint });

const limit = optional(amountField());
export const LIMITS = { minimumPerOrder: limit, maximumPerOrder: limit, maximumPerDay: limit };
export const LIMIT_NAMES = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

export const qrAmount = switchField({
  hint: 'For EMVCo codes of the order’s currency; others are shown as they are.',
});

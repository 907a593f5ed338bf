import { DEVELOPERS_STATES } from './developers.ts';
import { HOME_STATES } from './home.ts';
import { MONEY_STATES } from './money.ts';
import { ORDER_STATES } from './order.ts';
import { ORDERS_STATES } from './orders.ts';
import { SETTINGS_STATES } from './settings.ts';
import { SIGN_IN_STATES } from './sign-in.ts';
import type { PortalState } from './state.ts';
import { WEBHOOKS_STATES } from './webhooks.ts';

/** Every state of every screen. A screen adds a file beside this one and its line here. */
export const STATES: readonly PortalState[] = [
  ...SIGN_IN_STATES,
  ...HOME_STATES,
  ...ORDERS_STATES,
  ...ORDER_STATES,
  ...MONEY_STATES,
  ...WEBHOOKS_STATES,
  ...DEVELOPERS_STATES,
  ...SETTINGS_STATES,
];

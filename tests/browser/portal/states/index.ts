import { HOME_STATES } from './home.ts';
import { ORDER_STATES } from './order.ts';
import { ORDERS_STATES } from './orders.ts';
import { SIGN_IN_STATES } from './sign-in.ts';
import type { PortalState } from './state.ts';

/** Every state of every screen. A screen adds a file beside this one and its line here. */
export const STATES: readonly PortalState[] = [
  ...SIGN_IN_STATES,
  ...HOME_STATES,
  ...ORDERS_STATES,
  ...ORDER_STATES,
];

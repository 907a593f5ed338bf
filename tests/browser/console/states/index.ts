import { CLOSINGS_STATES } from './closings.ts';
import { FEES_STATES } from './fees.ts';
import { LATE_CLAIMS_STATES } from './late-claims.ts';
import { MEMBERS_STATES } from './members.ts';
import { MERCHANTS_STATES } from './merchants.ts';
import { NOW_STATES } from './now.ts';
import { ORDER_STATES } from './order.ts';
import { ORDERS_STATES } from './orders.ts';
import { PALETTE_STATES } from './palette.ts';
import { QUEUES_STATES } from './queues.ts';
import { REPORTS_STATES } from './reports.ts';
import { SAFETY_STATES } from './safety.ts';
import { SIGN_IN_STATES } from './sign-in.ts';
import type { ScreenState } from './state.ts';
import { WEBHOOKS_STATES } from './webhooks.ts';

/** Every state of every screen. A screen adds a file beside this one and its line here. */
export const STATES: readonly ScreenState[] = [
  ...SIGN_IN_STATES,
  ...NOW_STATES,
  ...MEMBERS_STATES,
  ...QUEUES_STATES,
  ...MERCHANTS_STATES,
  ...ORDER_STATES,
  ...LATE_CLAIMS_STATES,
  ...SAFETY_STATES,
  ...ORDERS_STATES,
  ...WEBHOOKS_STATES,
  ...FEES_STATES,
  ...REPORTS_STATES,
  ...CLOSINGS_STATES,
  ...PALETTE_STATES,
];

import { READ_SET_UP } from '@munshi/api';
import { SET_UP_ORDERS_MAX, SET_UP_STEPS, type SetUpStep } from '@munshi/core';
import type { OperatorFace } from '../people/access.operator.ts';
import { readMissingApprovers } from '../people/approvers.service.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { movesOrders } from '../sandbox/moves.service.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import { readFirst } from './set-up.store.ts';

/** How far a new installation is set up. */
export function setUpRoutes(face: OperatorFace, deps: Deps): void {
  const { clock, database } = deps;
  bind(face, READ_SET_UP, async () => {
    const first = await readFirst(database.pool, clock.now());
    const { requireSecondOperator } = await readPlatformSettings(database.pool);
    const done: Readonly<Record<SetUpStep, boolean>> = {
      approvers: (await readMissingApprovers(database.pool, deps)) === 0,
      merchant: first.merchantId !== null,
      key: first.hasKey,
      callback: first.hasCallback,
      'portal-person': first.hasPerson,
      member: first.memberId !== null,
      account: first.hasAccount,
      float: first.hasFloat,
      fee: first.hasFee,
      order: first.hasSettled,
      'second-operator': requireSecondOperator,
    };
    return {
      data: {
        isNew: first.orders <= SET_UP_ORDERS_MAX,
        steps: SET_UP_STEPS.map((step) => ({ step, done: done[step] })),
        merchantId: first.merchantId,
        memberId: first.memberId,
        testOrders: movesOrders(deps),
      },
    };
  });
}

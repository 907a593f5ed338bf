import { type AttentionView, type Given, PORTAL_READ_HOME } from '@munshi/api';
import { type Attention, CHECKLIST_STEPS, formatDay } from '@munshi/core';
import type { OwnOutcomes } from '../orders/outcomes.store.ts';
import type { PortalFace } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { showBalance } from '../wallets/wallet.routes.ts';
import { createPortalHome, type OwnDay } from './service.ts';

/** GET /home. */
export function homeRoute(face: PortalFace, deps: Deps): void {
  const readHome = createPortalHome(deps);
  bind(face, PORTAL_READ_HOME, async (_request, caller) => {
    const home = await readHome(caller.principal.merchantId);
    const { asOf, wallet, timeZone, days, attention, isNew, checklist } = home;
    const [today, yesterday] = days;
    return {
      data: {
        asOf,
        balance: showBalance(wallet),
        today: showDay(today),
        yesterday: showDay(yesterday),
        timeZone,
        attention: attention.map(showAttention),
        isNew,
        checklist: CHECKLIST_STEPS.map((step) => ({ step, done: checklist[step] })),
      },
    };
  });
}

const showDay = ({ day, outcomes }: OwnDay) => ({
  day: formatDay(day),
  deposits: showOutcomes(outcomes.Deposit),
  withdrawals: showOutcomes(outcomes.Withdrawal),
});

const showOutcomes = ({ sum, ...counts }: OwnOutcomes) => {
  const ended = counts.completed + counts.failed;
  const successRate = ended === 0 ? null : counts.completed / ended;
  return { ...counts, sum, successRate };
};

function showAttention(one: Attention): Given<AttentionView> {
  switch (one.kind) {
    case 'webhook-failing':
      return { ...one, since: one.since };
    case 'low-balance': {
      const { kind, available, limit, withdrawnYesterday } = one;
      return {
        ...{ kind, available, limit },
        withdrawnYesterday,
      };
    }
    case 'many-failures':
    case 'many-refusals':
    case 'no-callback-url':
      return one;
    case 'key-unused':
    case 'key-old':
      return { ...one, createdAt: one.createdAt };
  }
}

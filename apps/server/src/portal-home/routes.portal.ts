import { type AttentionView, type Given, PORTAL_READ_HOME } from '@munshi/api';
import { type Attention, CHECKLIST_STEPS } from '@munshi/core';
import type { PortalFace } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { showBalance } from '../wallets/wallet.routes.ts';
import { createPortalHome } from './service.ts';
import { showDay } from './view.ts';

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

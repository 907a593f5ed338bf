import { PORTAL_OVERVIEW, type PortalConcernView, type PortalOverviewView } from '@munshi/api';
import { formatDay } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import {
  type Concern,
  type DayOfMerchant,
  readMerchantOverview,
} from '../../services/merchant-overview.ts';
import type { MerchantOutcomes } from '../../storage/merchant-outcomes.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { jsonMoney, jsonTime } from '../values.ts';

/** How the merchant does. */
export function overviewRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, PORTAL_OVERVIEW, async ({ portal }) => {
    const overview = await readMerchantOverview(deps, portal.principal.merchantId);
    const { asOf, timeZone, today, yesterday, concerns } = overview;
    return {
      data: {
        asOf: jsonTime(asOf),
        timeZone,
        today: showDay(today),
        yesterday: showDay(yesterday),
        concerns: concerns.map(showConcern),
      },
    };
  });
}

const showDay = ({ day, from, ...kinds }: DayOfMerchant): PortalOverviewView['today'] => ({
  day: formatDay(day),
  from: jsonTime(from),
  deposits: showKind(kinds.Deposit),
  withdrawals: showKind(kinds.Withdrawal),
});

const showKind = ({ completedAmount, ...counts }: MerchantOutcomes) => ({
  ...counts,
  completedAmount: jsonMoney(completedAmount),
});

function showConcern(concern: Concern): PortalConcernView {
  switch (concern.kind) {
    case 'webhooks-failing':
      return { ...concern, since: jsonTime(concern.since) };
    case 'low-balance':
      return {
        kind: concern.kind,
        available: jsonMoney(concern.available),
        yesterday: jsonMoney(concern.yesterday),
      };
    case 'many-failures':
      return concern;
    case 'key-old':
    case 'key-unused':
      return { ...concern, createdAt: jsonTime(concern.createdAt) };
  }
}

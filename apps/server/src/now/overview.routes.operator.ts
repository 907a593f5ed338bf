import { type Given, type OverviewView, READ_OVERVIEW } from '@munshi/api';
import { WALLET_TYPES, type WalletType } from '@munshi/core';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { createOverview, type Overview } from './overview.service.ts';
import type { Outcomes, Slice } from './overview.store.ts';

/** How the platform does now. */
export function overviewRoutes(face: OperatorFace, deps: Deps): void {
  const read = createOverview(deps);
  bind(face, READ_OVERVIEW, async () => ({ data: showOverview(await read()) }));
}

const showOverview = (overview: Overview): Given<OverviewView> => ({
  ...overview,
  lastHour: showHour(overview.lastHour),
  weekBefore: showHour(overview.weekBefore),
  methods: WALLET_TYPES.map((walletType) => showMethod(overview, walletType)),
});

function showMethod({ open, capacity, hours }: Overview, walletType: WalletType) {
  const of = <Row extends { readonly walletType: WalletType }>(rows: readonly Row[]) =>
    rows.find((row) => row.walletType === walletType);
  const [orders, room] = [of(open), of(capacity)];
  return {
    walletType,
    waiting: orders?.waiting ?? 0,
    oldestWaitingAt: orders?.oldestWaitingAt ?? null,
    inHand: orders?.inHand ?? 0,
    toConfirm: orders?.toConfirm ?? 0,
    soonestDueAt: orders?.soonestDueAt ?? null,
    membersFree: room?.members ?? 0,
    freeCapacity: room?.orders ?? 0,
    freeFloat: room?.float ?? 0n,
    hours: hours.map(({ from, outcomes }) => {
      const own = of(outcomes);
      return {
        from,
        ...sumOf(own === undefined ? [] : [own]),
        medianConfirmSeconds: own?.medianConfirmSeconds ?? null,
      };
    }),
  };
}

const showHour = (slices: readonly Slice[]) => ({
  ...sumOf(slices),
  slices: slices.map((slice) => sumOf([slice])),
});

const sumOf = (outcomes: readonly Pick<Outcomes, 'created' | 'completed' | 'failed'>[]) => ({
  created: outcomes.reduce((sum, { created }) => sum + created, 0),
  completed: outcomes.reduce((sum, { completed }) => sum + completed, 0),
  failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
});

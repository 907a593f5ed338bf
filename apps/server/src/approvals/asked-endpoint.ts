import * as api from '@munshi/api';
import { type Endpoint, endpointsOf, type Needs } from '@munshi/api';
import type { Approval, OperatorCapability } from '@munshi/core';
import { nameOf } from '../writes/waiting-writes.ts';

type OperatorEndpoint = Endpoint & { readonly face: 'operator'; readonly needs: Needs['operator'] };

const ENDPOINTS: ReadonlyMap<string, OperatorEndpoint> = new Map(
  endpointsOf(api)
    .map(([, endpoint]) => endpoint)
    .filter((endpoint): endpoint is OperatorEndpoint => endpoint.face === 'operator')
    .map((endpoint) => [nameOf(endpoint), endpoint]),
);

/** Every write that may wait, by subject, as it declares who decides it. */
export const WRITES_OF_TWO = [
  ...Map.groupBy(
    [...ENDPOINTS.values()].flatMap(({ tags: [subject = ''], summary, decides }) => {
      if (decides === undefined || !['two', 'amount', 'change'].includes(decides.by)) return [];
      const by = decides.by as 'two' | 'amount' | 'change';
      return [{ subject, summary, by, waits: decides.by === 'change' ? decides.waits : null }];
    }),
    ({ subject }) => subject,
  ),
].map(([subject, writes]) => ({
  subject,
  writes: writes.map(({ subject: _, ...write }) => write),
}));

/** What a request for a second operator asks; undefined of one that an earlier version kept. */
const askedEndpoint = ({ asked }: Pick<Approval, 'asked'>) =>
  asked === null ? undefined : ENDPOINTS.get(asked.endpoint);

export const summaryOf = (approval: Pick<Approval, 'asked'>): string | null =>
  askedEndpoint(approval)?.summary ?? null;

/** Approving and declining need what asking for it does. */
export function neededToAsk(approval: Pick<Approval, 'asked' | 'kind'>): OperatorCapability {
  const needs = askedEndpoint(approval)?.needs;
  if (needs !== undefined && needs !== 'anyone') return needs;
  return approval.kind === 'order-confirm' || approval.kind === 'order-resolve'
    ? 'decide'
    : 'administer';
}

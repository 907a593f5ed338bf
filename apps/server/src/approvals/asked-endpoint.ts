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

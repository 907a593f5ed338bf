import type { AnswerOf, LIST_LATE_CLAIMS } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { Age, Money, OrderStatus, When } from '@munshi/web-ui';
import { useSession } from '../../session.tsx';
import panes from '../queues/queues.module.css';
import { useRows } from '../queues/use-rows.ts';
import { payment } from './claim.ts';

export type Claim = AsText<AnswerOf<typeof LIST_LATE_CLAIMS>>['data'][number];

/** Customers wait for an answer. */
const LATE_MS = 60 * 60_000;

interface ClaimListProps {
  readonly label: string;
  readonly claims: readonly Claim[];
  readonly openId: string | undefined;
  onOpen(claimId: string): void;
}

/** The claims, oldest first while they are open; `j` and `k` move, `Enter` opens. */
export function ClaimList({ label, claims, openId, onOpen }: ClaimListProps) {
  const list = useRows('claim', openId);
  return (
    <ul ref={list} className={panes['rows']} aria-label={label}>
      {claims.map((claim) => (
        <li key={claim.claimId}>
          <button
            type="button"
            className={panes['row']}
            aria-current={claim.claimId === openId}
            onClick={() => onOpen(claim.claimId)}
          >
            <span className={panes['amount']}>
              <Money amount={claim.order.amount} currency={claim.order.currency} />
            </span>
            <span className={panes['end']}>
              {claim.closedAt === null ? (
                <Age at={claim.claimedAt} redAfterMs={LATE_MS} />
              ) : (
                <When at={claim.closedAt} />
              )}
            </span>
            <span className={`quiet ${panes['cause']}`}>
              {[claim.order.merchantName, claim.order.memberName]
                .filter((name) => name !== null)
                .join(' · ')}
            </span>
            <span className="number">{payment(claim)}</span>
            <Whose claim={claim} />
            <span className={panes['end']}>
              <OrderStatus status={claim.order.status} stage="Failed" />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Who has it. */
function Whose({ claim }: { readonly claim: Claim }) {
  const whose = useWhose(claim);
  const isTaken = claim.status === 'open' && claim.takenBy !== null;
  return <span className={isTaken ? panes['claimant'] : 'quiet'}>{whose}</span>;
}

/** Who looks into a claim, or has closed it, in words. */
export function useWhose({ takenBy, takenByName, closedBy, closedByName }: Claim): string {
  const { operator } = useSession();
  if (closedBy !== null)
    return closedBy === operator.operatorId
      ? 'Closed by you'
      : `Closed by ${closedByName ?? 'an operator'}`;
  if (takenBy === null) return 'Nobody is working on it yet';
  return takenBy === operator.operatorId
    ? 'You are working on it'
    : `${takenByName ?? 'An operator'} is working on it`;
}

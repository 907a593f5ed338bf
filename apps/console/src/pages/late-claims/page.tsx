import { Button } from '@mantine/core';
import { LIST_LATE_CLAIMS } from '@munshi/api';
import { Failed, MoreButton, oneOf, Skeleton, text, useFilters, useList } from '@munshi/web-ui';
import CircleCheck from 'lucide-react/icons/circle-check-big';
import { useEffect, useRef, useState } from 'react';
import panes from '../queues/queues.module.css';
import { type Claim, ClaimList } from './claim-list.tsx';
import { ClaimSide } from './claim-side.tsx';

const STATUS_NAMES = { open: 'Open', closed: 'Closed' };

const LIST = { open: 'Open late claims', closed: 'Closed late claims' };

const STATUSES = ['open', 'closed'] as const;
const WATCH = { watch: ['claim', 'order', 'approval'] } as const;
const ADDRESS = { status: oneOf(STATUSES), claim: text() };

/** C7: customers who say that they paid after their link had expired. */
export default function LateClaimsPage() {
  const { values, set } = useFilters(ADDRESS);
  const { status = 'open', claim: claimId } = values;
  const list = useList(LIST_LATE_CLAIMS, { query: { status } }, WATCH);
  const claims: readonly Claim[] = list.rows ?? [];
  const claim = useOpened(claimId, list.rows);
  const at = claims.findIndex((one) => one.claimId === claimId);
  const next = claims[at + 1] ?? claims.find((one) => one.claimId !== claimId);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `Late claims · Munshi`;
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={panes['frame']} data-open={claimId !== undefined}>
      <div className={panes['list']}>
        <div className={panes['head']}>
          <h1 ref={heading} tabIndex={-1}>
            Late claims
          </h1>
          <Button.Group>
            {STATUSES.map((value) => (
              <Button
                key={value}
                size="compact-sm"
                variant={value === status ? 'light' : 'default'}
                aria-pressed={value === status}
                onClick={() => set({ status: value, claim: undefined })}
              >
                {STATUS_NAMES[value]}
              </Button>
            ))}
          </Button.Group>
        </div>
        {list.rows === undefined ? (
          list.error === null ? (
            <Skeleton rows={8} />
          ) : (
            <Failed error={list.error} onRetry={list.again} />
          )
        ) : claims.length === 0 ? (
          <None status={status} />
        ) : (
          <ClaimList
            label={LIST[status]}
            claims={claims}
            openId={claimId}
            onOpen={(id) => set({ claim: id })}
          />
        )}
        <MoreButton list={list} />
      </div>
      <div className={panes['side']}>
        {claim !== undefined ? (
          <ClaimSide
            key={claim.claimId}
            claim={claim}
            onBack={() => set({ claim: undefined })}
            onDecided={() => set({ claim: next?.claimId })}
          />
        ) : (
          <p className={panes['choose']}>
            {claimId === undefined || list.rows === undefined
              ? 'Choose a claim, or press Enter on one.'
              : 'This claim is no longer in the list.'}
          </p>
        )}
      </div>
    </div>
  );
}

/**
 * The claim that is open. It stays so, with what is typed about it, when it leaves the list
 * meanwhile: closed, or of an order that this operator has asked a second one about.
 */
function useOpened(
  claimId: string | undefined,
  rows: readonly Claim[] | undefined,
): Claim | undefined {
  const [last, setLast] = useState<Claim | undefined>(undefined);
  const isOpened = (claim: Claim) => claim.claimId === claimId;
  const here = rows?.find(isOpened);
  const isElsewhere = claimId !== undefined && rows !== undefined && here === undefined;
  const all = useList(LIST_LATE_CLAIMS, {}, { ...WATCH, enabled: isElsewhere });
  const found = here ?? (isElsewhere ? all.rows?.find(isOpened) : undefined);
  if (found !== undefined && found !== last) setLast(found);
  return found ?? (last !== undefined && isOpened(last) ? last : undefined);
}

function None({ status }: { readonly status: (typeof STATUSES)[number] }) {
  if (status === 'closed')
    return <p className={panes['empty']}>No late claim has been closed yet.</p>;
  return (
    <div className={panes['empty']}>
      <CircleCheck size={32} aria-hidden />
      <strong>No late claim is open</strong>
      <p className="quiet">
        Customers who say that they paid an expired order leave one on the payment page.
      </p>
    </div>
  );
}

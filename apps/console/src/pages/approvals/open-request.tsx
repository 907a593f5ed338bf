import { Button } from '@mantine/core';
import { APPROVE_REQUEST, MONEY_KINDS, READ_APPROVAL } from '@munshi/api';
import {
  ActionButton,
  Card,
  Chip,
  Countdown,
  Facts,
  Loaded,
  Refusal,
  type Secrets,
  SecretsDialog,
  Skeleton,
  type Tone,
  useRead,
  When,
} from '@munshi/web-ui';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { anyOf } from '../../any-of.ts';
import { Changes } from '../../changes.tsx';
import { EffectSummary } from '../../effects/effect-summary.tsx';
import { usePreview } from '../../effects/use-preview.ts';
import { may, useSession } from '../../session.tsx';
import classes from './approvals.module.css';
import { Approve, Decline, FETCHED, Fetch } from './dialogs.tsx';
import { aboutOf, amountOf, type Request, STATUS_NAMES, titleOf } from './names.ts';
import { OrderBeside } from './order-beside.tsx';

const TONES: Readonly<Record<Request['status'], Tone>> = {
  pending: 'needed',
  approved: 'busy',
  done: 'done',
  declined: 'failed',
  withdrawn: 'over',
  fallen: 'over',
  expired: 'over',
};
/** What it would do to balances changes with orders. */
const WATCH = { watch: ['approval', 'order'] };

interface OpenRequestProps {
  readonly approvalId: string;
  /** All of it is shown. */
  onSeen(approvalId: string): void;
  /** The reader has approved it or turned it down. */
  onDecided(): void;
  /** False while letters are for several requests. */
  readonly hasLetters: boolean;
}

/** Read by itself: it stays open, with what is typed about it, when it leaves the list. */
export function OpenRequest({ approvalId, ...props }: OpenRequestProps) {
  const read = useRead(READ_APPROVAL, { params: { approvalId } }, WATCH);
  return (
    <Loaded read={read}>
      {({ data }) => <Opened request={data} readAt={read.dataUpdatedAt} {...props} />}
    </Loaded>
  );
}

type Dialog = 'approve' | 'decline' | 'fetch';
type OpenedProps = Omit<OpenRequestProps, 'approvalId'> & {
  readonly request: Request;
  readonly readAt: number;
};

/** One request, whole, with what it would do, what it is about, and what may be done about it. */
function Opened({ request, readAt, onSeen, onDecided, hasLetters }: OpenedProps) {
  const { approvalId, allowedActions, status, about } = request;
  const { operator } = useSession();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [secrets, setSecrets] = useState<Secrets | null>(null);
  const [isOrderShown, setOrderShown] = useState(false);
  const isMoney = MONEY_KINDS.some((kind) => kind === request.kind);
  const previews = isMoney && allowedActions.includes('approve') && dialog === null;
  const preview = usePreview(
    APPROVE_REQUEST,
    previews ? { params: { approvalId }, body: {} } : null,
    readAt,
  );
  const isShown =
    (about.orderId === null || isOrderShown) && (!isMoney || preview.data !== undefined);
  useEffect(() => {
    if (isShown) onSeen(approvalId);
  });
  const close = () => setDialog(null);
  const decide = () => {
    close();
    onDecided();
  };
  return (
    <div>
      <div className={classes['bar']}>
        <NotByYou request={request} />
        {allowedActions.includes('decline') ? (
          <Act letter="d" hasLetters={hasLetters} isOther onClick={() => setDialog('decline')}>
            {isOwn(request, operator.operatorId) ? 'Withdraw' : 'Decline'}
          </Act>
        ) : null}
        {allowedActions.includes('fetch') ? (
          <Act letter="f" hasLetters={hasLetters} onClick={() => setDialog('fetch')}>
            Fetch
          </Act>
        ) : null}
        {allowedActions.includes('approve') ? (
          <Act letter="a" hasLetters={hasLetters} onClick={() => setDialog('approve')}>
            Approve
          </Act>
        ) : null}
      </div>
      <Card
        title={titleOf(request)}
        actions={<Chip tone={TONES[status]} label={STATUS_NAMES[status]} />}
      >
        <About request={request} />
        <div className={classes['whole']}>
          <WhatElse request={request} />
          {!previews ? null : preview.error !== null ? (
            <Refusal error={preview.error} />
          ) : preview.data === undefined ? (
            <Skeleton />
          ) : (
            <EffectSummary effect={preview.data} />
          )}
        </div>
        {status === 'approved' && request.fetcher !== null ? (
          <p className="quiet">{FETCHED[request.fetcher]}</p>
        ) : null}
      </Card>
      {about.orderId === null ? null : (
        <OrderBeside orderId={about.orderId} onShown={() => setOrderShown(true)} />
      )}
      {dialog === 'approve' ? (
        <Approve request={request} readAt={readAt} onClose={close} onDecided={decide} />
      ) : null}
      {dialog === 'decline' ? (
        <Decline
          request={request}
          own={isOwn(request, operator.operatorId)}
          onClose={close}
          onDecided={decide}
        />
      ) : null}
      {dialog === 'fetch' ? (
        <Fetch request={request} onFetched={setSecrets} onClose={close} />
      ) : null}
      {secrets === null ? null : (
        <SecretsDialog secrets={secrets} onKept={() => setSecrets(null)} />
      )}
    </div>
  );
}

interface ActProps {
  readonly letter: string;
  readonly hasLetters: boolean;
  /** The secondary action. */
  readonly isOther?: boolean;
  readonly children: string;
  onClick(): void;
}

const Act = ({ hasLetters, isOther = false, letter, children, onClick }: ActProps) => {
  const look = isOther ? ({ variant: 'default' } as const) : {};
  return hasLetters ? (
    <ActionButton letter={letter} {...look} onClick={onClick}>
      {children}
    </ActionButton>
  ) : (
    <Button {...look} onClick={onClick}>
      {children}
    </Button>
  );
};

/** What will be done, but for what is said above. */
function WhatElse({ request: { request, about, amount, names } }: { readonly request: Request }) {
  const said = new Set([
    ...['reason', 'note', 'internalNote', 'orderReference', 'merchantId', 'merchant'],
    ...(about.memberId === null ? [] : ['memberId']),
    ...(amount === null ? [] : ['amount', 'kind', 'outcome']),
  ]);
  const rest = Object.entries(request).filter(([name]) => !said.has(name));
  return rest.length === 0 ? null : (
    <Changes label="What will be done" fields={Object.fromEntries(rest)} names={names} />
  );
}

/** By whom, why, and for whom it waits. */
function About({ request }: { readonly request: Request }) {
  const { about, amount, status, approvers, decidedAt, decidedName } = request;
  const href =
    about.merchantId !== null
      ? `/merchants/${about.merchantId}`
      : about.memberId !== null
        ? `/members/${about.memberId}`
        : null;
  return (
    <Facts
      facts={[
        ['About', href === null ? aboutOf(request) : <Link href={href}>{aboutOf(request)}</Link>],
        amount === null ? null : ['Amount', <strong key="amount">{amountOf(request)}</strong>],
        request.reason === null ? null : ['Reason', request.reason],
        typeof request.request['internalNote'] === 'string'
          ? ['For ourselves', request.request['internalNote']]
          : null,
        [
          'Asked for by',
          <>
            {request.requestedName}, <When at={request.requestedAt} />
          </>,
        ],
        status === 'pending'
          ? ['Waits for', approvers.length === 0 ? 'Nobody can approve it' : anyOf(approvers)]
          : null,
        status === 'pending' ? ['Ends in', <Countdown key="left" at={request.expiresAt} />] : null,
        decidedName === null || decidedAt === null
          ? null
          : [
              STATUS_NAMES[status],
              <>
                <When at={decidedAt} /> by {decidedName}
              </>,
            ],
        request.note === null ? null : ['Note', request.note],
      ]}
    />
  );
}

/** Why the reader has no button to approve it. */
function NotByYou({ request }: { readonly request: Request }) {
  const { operator } = useSession();
  if (request.status !== 'pending') return null;
  const text = isOwn(request, operator.operatorId)
    ? 'You asked for this yourself. Another operator has to approve it.'
    : may(operator, 'approve')
      ? request.notByYou
      : 'An approver decides this.';
  return text === null ? null : <p className="quiet">{text}</p>;
}

const isOwn = ({ requestedBy }: Request, operatorId: string): boolean => requestedBy === operatorId;

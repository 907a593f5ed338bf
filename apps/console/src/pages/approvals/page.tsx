import { Button } from '@mantine/core';
import {
  APPROVE_REQUEST,
  type ApprovalView,
  DECLINE_REQUEST,
  FETCH_REQUEST,
  LIST_APPROVALS,
  MONEY_KINDS,
  READ_APPROVAL,
} from '@munshi/api';
import {
  Age,
  Card,
  Chip,
  ChoiceFilter,
  Countdown,
  DataTable,
  EffectDialog,
  Facts,
  FilterBar,
  Loaded,
  oneOf,
  Page,
  Refusal,
  type Secrets,
  SecretsDialog,
  Skeleton,
  Split,
  type Tone,
  text,
  useFilters,
  useList,
  useRead,
  useWrite,
  Warnings,
  When,
} from '@munshi/web-ui';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { Changes } from '../../changes.tsx';
import { EffectSummary } from '../../effects/effect-summary.tsx';
import { usePreview } from '../../effects/use-preview.ts';
import { may, useSession } from '../../session.tsx';
import classes from './approvals.module.css';
import { aboutOf, STATUS_NAMES, titleOf } from './names.ts';
import { ReadyForYou } from './ready.tsx';

const STATUSES = [
  'pending',
  'approved',
  'done',
  'declined',
  'withdrawn',
  'fallen',
  'expired',
] as const;
const FILTERS = { status: oneOf(STATUSES), open: text() };
const TONES: Readonly<Record<ApprovalView['status'], Tone>> = {
  pending: 'needed',
  approved: 'busy',
  done: 'done',
  declined: 'failed',
  withdrawn: 'over',
  fallen: 'over',
  expired: 'over',
};
const WATCH = { watch: ['approval'] };
/** What it would do to balances changes with orders. */
const WATCH_OPENED = { watch: ['approval', 'order'] };

/** C8. What waits for a second person; others by their status. */
export default function ApprovalsPage() {
  const { operator } = useSession();
  const { values, set, clear } = useFilters(FILTERS);
  const status = values.status ?? 'pending';
  const list = useList(LIST_APPROVALS, { query: { status } }, WATCH);
  const waiting = status === 'pending';
  return (
    <Page
      title="Approvals"
      lead="Requests that wait for a second operator. They cannot be changed, and end after 24 hours."
    >
      {status === 'approved' ? null : <ReadyForYou />}
      <FilterBar count={values.status === undefined ? 0 : 1} onClear={clear}>
        <ChoiceFilter
          label="Status"
          choices={STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] }))}
          value={status}
          onChange={(next) => set({ status: next, open: undefined })}
        />
      </FilterBar>
      <Split
        openId={values.open}
        list={
          <DataTable
            label="Approvals"
            list={list}
            rowId={({ approvalId }) => approvalId}
            rowLabel={titleOf}
            openId={values.open}
            onOpen={({ approvalId }) => set({ open: approvalId })}
            empty={
              waiting ? (
                <>
                  <p>Nothing is waiting for a second operator.</p>
                  <p className="quiet">
                    Requests appear here when an action needs a second operator.
                  </p>
                </>
              ) : (
                <p>No request has this status.</p>
              )
            }
            columns={[
              { id: 'kind', header: 'What', cell: titleOf },
              { id: 'about', header: 'About', cell: aboutOf },
              {
                id: 'requester',
                header: 'Asked for by',
                cell: ({ requestedBy, requestedName }) =>
                  requestedBy === operator.operatorId ? `${requestedName} (you)` : requestedName,
              },
              waiting
                ? {
                    id: 'age',
                    header: 'Waits for',
                    align: 'end',
                    cell: ({ requestedAt }) => <Age at={requestedAt} redAfterMs={LATE_MS} />,
                  }
                : {
                    id: 'decided',
                    header: 'Decided',
                    align: 'end',
                    cell: ({ decidedAt, requestedAt }) => <When at={decidedAt ?? requestedAt} />,
                  },
            ]}
          />
        }
      >
        {values.open === undefined ? null : <Opened key={values.open} approvalId={values.open} />}
      </Split>
    </Page>
  );
}

/** Most of a day is gone, and it will end unseen. */
const LATE_MS = 12 * 60 * 60 * 1000;

/** Read by itself: it stays open, with what is typed about it, when it leaves the list. */
function Opened({ approvalId }: { readonly approvalId: string }) {
  const read = useRead(READ_APPROVAL, { params: { approvalId } }, WATCH_OPENED);
  return (
    <Loaded read={read}>
      {({ data }) => <Request request={data} readAt={read.dataUpdatedAt} />}
    </Loaded>
  );
}

type Dialog = 'approve' | 'decline' | 'fetch';

/** One request, whole, with what may be done about it. */
function Request({ request, readAt }: { readonly request: ApprovalView; readonly readAt: number }) {
  const { operator } = useSession();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [secrets, setSecrets] = useState<Secrets | null>(null);
  const { allowedActions, kind, status } = request;
  const own = request.requestedBy === operator.operatorId;
  const notByYou =
    status !== 'pending'
      ? null
      : own
        ? 'You asked for this yourself. Another operator has to approve it.'
        : may(operator, 'approve')
          ? request.notByYou
          : 'An approver decides this.';
  const close = () => setDialog(null);
  return (
    <Card
      title={titleOf(request)}
      actions={<Chip tone={TONES[status]} label={STATUS_NAMES[status]} />}
    >
      <Changes label="What will be done" fields={request.request} />
      <Facts
        facts={[
          kind === 'order-confirm' || kind === 'order-resolve'
            ? [
                'The order',
                <Link key="order" href={`/orders/${request.target}`}>
                  Open
                </Link>,
              ]
            : null,
          [
            'Asked for by',
            <>
              {request.requestedName}, <When at={request.requestedAt} />
            </>,
          ],
          status === 'pending'
            ? ['Ends in', <Countdown key="left" at={request.expiresAt} />]
            : null,
          request.decidedName === null || request.decidedAt === null
            ? null
            : [
                STATUS_NAMES[status],
                <>
                  <When at={request.decidedAt} /> by {request.decidedName}
                </>,
              ],
          request.note === null ? null : ['Reason', request.note],
        ]}
      />
      {notByYou === null ? null : <p className="quiet">{notByYou}</p>}
      {status === 'approved' && request.fetcher !== null ? (
        <p className="quiet">{FETCHED[request.fetcher]}</p>
      ) : null}
      <div className={classes['actions']}>
        {allowedActions.includes('approve') ? (
          <Button onClick={() => setDialog('approve')}>Approve</Button>
        ) : null}
        {allowedActions.includes('fetch') ? (
          <Button onClick={() => setDialog('fetch')}>Fetch</Button>
        ) : null}
        {allowedActions.includes('decline') ? (
          <Button variant="default" onClick={() => setDialog('decline')}>
            {own ? 'Withdraw' : 'Decline'}
          </Button>
        ) : null}
      </div>
      {dialog === 'approve' ? <Approve request={request} readAt={readAt} onClose={close} /> : null}
      {dialog === 'decline' ? <Decline request={request} own={own} onClose={close} /> : null}
      {dialog === 'fetch' ? (
        <Fetch request={request} onFetched={setSecrets} onClose={close} />
      ) : null}
      {secrets === null ? null : (
        <SecretsDialog secrets={secrets} onKept={() => setSecrets(null)} />
      )}
    </Card>
  );
}

interface DialogProps {
  readonly request: ApprovalView;
  onClose(): void;
}

/** Who fetches the secret that a request gives. */
const FETCHED: Readonly<Record<NonNullable<ApprovalView['fetcher']>, string>> = {
  asker: 'The asker fetches it here. Nobody else ever sees it.',
  merchant: 'An admin of the merchant fetches it in the portal, with a one-time code.',
  approver: 'An approver who did not ask fetches it here, for the merchant.',
};

/** Of these it is shown what they do to balances, orders and webhooks. */
const ABOUT_MONEY: ReadonlySet<ApprovalView['kind']> = new Set(MONEY_KINDS);

/**
 * Who has decided a request while its dialog was open; null: nobody, or the one who has it open.
 */
function useDecided(request: ApprovalView, sent: boolean): string | null {
  if (sent || request.status === 'pending') return null;
  const status = STATUS_NAMES[request.status];
  return request.decidedName === null ? status : `${request.decidedName} was faster: ${status}.`;
}

function Approve({ request, readAt, onClose }: DialogProps & { readonly readAt: number }) {
  const { approvalId, kind } = request;
  const approve = useWrite(APPROVE_REQUEST);
  const sent = approve.sending || approve.shown !== undefined;
  const decided = useDecided(request, sent);
  const isAboutMoney = ABOUT_MONEY.has(kind);
  const askedAt = useRef(readAt);
  if (!sent) askedAt.current = readAt;
  const asked =
    isAboutMoney && request.status === 'pending' ? { params: { approvalId }, body: {} } : null;
  const preview = usePreview(APPROVE_REQUEST, asked, askedAt.current);
  return (
    <EffectDialog
      title={`Approve: ${titleOf(request)}`}
      button="Approve"
      ready={
        decided === null &&
        (!isAboutMoney || (preview.data !== undefined && preview.error === null))
      }
      impossible={decided !== null}
      note={{
        required: false,
        label: 'Note (optional)',
        internal: true,
        ...(kind === 'float-adjustment' && {
          hint: 'The member reads this in the app, with the reason that was asked with.',
        }),
      }}
      onClose={onClose}
      onSend={(note, internal) =>
        approve.send({
          params: { approvalId },
          body: { ...(note === '' ? {} : { note }), ...internal },
        })
      }
    >
      <Changes label="What you decide on" fields={request.request} />
      {decided === null ? null : <Warnings>{[decided]}</Warnings>}
      {!isAboutMoney || decided !== null ? null : preview.error !== null ? (
        <Refusal error={preview.error} />
      ) : preview.data === undefined ? (
        <Skeleton />
      ) : (
        <EffectSummary effect={preview.data} />
      )}
      <p>
        {request.fetcher === null
          ? 'It is done at once, with the current rules and amounts.'
          : `It may then be fetched once, within 24 hours. ${FETCHED[request.fetcher]}`}
      </p>
    </EffectDialog>
  );
}

function Decline({ request, own, onClose }: DialogProps & { readonly own: boolean }) {
  const { approvalId } = request;
  const decline = useWrite(DECLINE_REQUEST);
  const decided = useDecided(request, decline.sending || decline.shown !== undefined);
  const title = own ? `Withdraw: ${titleOf(request)}` : `Decline: ${titleOf(request)}`;
  return (
    <EffectDialog
      title={title}
      button={own ? 'Withdraw' : 'Decline'}
      danger
      ready={decided === null}
      impossible={decided !== null}
      note={{ internal: true }}
      onClose={onClose}
      onSend={(note, internal) =>
        decline.send({ params: { approvalId }, body: { note, ...internal } })
      }
    >
      {decided === null ? null : <Warnings>{[decided]}</Warnings>}
      <Changes label="What you decide on" fields={request.request} />
    </EffectDialog>
  );
}

function Fetch({
  request,
  onFetched,
  onClose,
}: DialogProps & { onFetched(secrets: Secrets): void }) {
  const { approvalId } = request;
  const fetched = useWrite(FETCH_REQUEST);
  return (
    <EffectDialog
      title={`Fetch: ${titleOf(request)}`}
      button="Fetch"
      onClose={onClose}
      onSend={async () => {
        const { link, invitedUntil, ...secrets } = (await fetched.send({ params: { approvalId } }))
          .data;
        const isInvitation = invitedUntil !== undefined && invitedUntil !== null;
        onFetched({ ...secrets, ...(isInvitation ? { invitation: link } : { link }) });
      }}
    >
      <p>It is created now and shown only once. Nobody else ever sees it.</p>
    </EffectDialog>
  );
}

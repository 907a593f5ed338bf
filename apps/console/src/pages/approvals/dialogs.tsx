import { APPROVE_REQUEST, DECLINE_REQUEST, FETCH_REQUEST, MONEY_KINDS } from '@munshi/api';
import { EffectDialog, Refusal, type Secrets, Skeleton, useWrite, Warnings } from '@munshi/web-ui';
import { useRef } from 'react';
import { Changes } from '../../changes.tsx';
import { EffectSummary } from '../../effects/effect-summary.tsx';
import { usePreview } from '../../effects/use-preview.ts';
import { type Request, STATUS_NAMES, titleOf } from './names.ts';

interface DialogProps {
  readonly request: Request;
  onClose(): void;
}
interface DecisionProps extends DialogProps {
  /** It was approved or turned down. */
  onDecided(): void;
}

/** Who fetches the secret that a request gives. */
export const FETCHED: Readonly<Record<NonNullable<Request['fetcher']>, string>> = {
  asker: 'The asker fetches it here. Nobody else ever sees it.',
  merchant: 'An admin of the merchant fetches it in the portal, with a one-time code.',
  approver: 'An approver who did not ask fetches it here, for the merchant.',
};

/**
 * Who has decided a request while its dialog was open; null: nobody, or the one who has it open.
 */
function useDecided(request: Request, sent: boolean): string | null {
  if (sent || request.status === 'pending') return null;
  const status = STATUS_NAMES[request.status];
  return request.decidedName === null ? status : `${request.decidedName} was faster: ${status}.`;
}

export function Approve({
  request,
  readAt,
  onClose,
  onDecided,
}: DecisionProps & { readonly readAt: number }) {
  const { approvalId, kind } = request;
  const approve = useWrite(APPROVE_REQUEST);
  const sent = approve.sending || approve.shown !== undefined;
  const decided = useDecided(request, sent);
  const isAboutMoney = MONEY_KINDS.some((one) => one === kind);
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
      onSend={async (note, internal) => {
        await approve.send({
          params: { approvalId },
          body: { ...(note === '' ? {} : { note }), ...internal },
        });
        onDecided();
      }}
    >
      <Changes label="What you decide on" fields={request.request} names={request.names} />
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

export function Decline({
  request,
  own,
  onClose,
  onDecided,
}: DecisionProps & { readonly own: boolean }) {
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
      onSend={async (note, internal) => {
        await decline.send({ params: { approvalId }, body: { note, ...internal } });
        onDecided();
      }}
    >
      {decided === null ? null : <Warnings>{[decided]}</Warnings>}
      <Changes label="What you decide on" fields={request.request} names={request.names} />
    </EffectDialog>
  );
}

export function Fetch({
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

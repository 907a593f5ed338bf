import { Button, Modal } from '@mantine/core';
import { APPROVE_REQUEST, MONEY_KINDS } from '@munshi/api';
import { Effect, EffectDialog, Effects, Refusal, useReturnFocus, useWrite } from '@munshi/web-ui';
import CircleCheck from 'lucide-react/icons/circle-check-big';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useRef, useState } from 'react';
import { Changes } from '../../changes.tsx';
import { balancesOf } from '../../effects/effect-summary.tsx';
import { usePreview } from '../../effects/use-preview.ts';
import classes from './approvals.module.css';
import { aboutOf, amountOf, type Request, titleOf } from './names.ts';

interface Result {
  readonly request: Request;
  /** Null: it was approved. */
  readonly error: Error | null;
}

/** Approves several requests, each by its own write: what one is refused for stops no other. */
export function ApproveMany({
  requests,
  onClose,
}: {
  readonly requests: readonly Request[];
  onClose(): void;
}) {
  const { send } = useWrite(APPROVE_REQUEST);
  const [results, setResults] = useState<readonly Result[] | null>(null);
  const sent = useRef(false);
  if (results !== null) return <Results results={results} onClose={onClose} />;
  return (
    <EffectDialog
      title={requests.length === 1 ? 'Approve 1 request' : `Approve ${requests.length} requests`}
      button={requests.length === 1 ? 'Approve' : `Approve ${requests.length}`}
      wide
      note={{
        required: false,
        label: requests.length === 1 ? 'Note (optional)' : 'Note for each (optional)',
      }}
      onClose={() => {
        if (!sent.current) onClose();
      }}
      onSend={async (note) => {
        sent.current = true;
        const body = note === '' ? {} : { note };
        const done: Result[] = [];
        for (const request of requests) {
          const { approvalId } = request;
          const error = await send({ params: { approvalId }, body }).then(
            () => null,
            (failure: Error) => failure,
          );
          done.push({ request, error });
        }
        setResults(done);
      }}
    >
      <ol className={classes['many']}>
        {requests.map((request, at) => (
          <li key={request.approvalId}>
            <Named request={request} />
            <WhatItDoes request={request} place={at + 1} />
          </li>
        ))}
      </ol>
    </EffectDialog>
  );
}

const Named = ({ request }: { readonly request: Request }) => (
  <p>
    <strong>
      {titleOf(request)} {amountOf(request)}
    </strong>{' '}
    <bdi>{aboutOf(request)}</bdi>
    <span className="quiet"> asked for by {request.requestedName}</span>
  </p>
);

/** Of money the balances that it changes, each for itself; else the fields. */
function WhatItDoes({ request, place }: { readonly request: Request; readonly place: number }) {
  const { approvalId, kind } = request;
  const isMoney = MONEY_KINDS.some((one) => one === kind);
  const asked = isMoney ? { params: { approvalId }, body: {} } : null;
  const { data, error } = usePreview(APPROVE_REQUEST, asked, 0);
  if (!isMoney)
    return (
      <Changes
        label={`${place}. What will be done`}
        fields={request.request}
        names={request.names}
      />
    );
  if (error !== null) return <Refusal error={error} />;
  return data === undefined ? null : (
    <Effects label={`${place}. Balances, PKR`}>
      {balancesOf(data).map(({ what, before, after }) => (
        <Effect key={what} what={what} before={before} after={after} />
      ))}
    </Effects>
  );
}

function Results({ results, onClose }: { readonly results: readonly Result[]; onClose(): void }) {
  useReturnFocus();
  const approved = results.filter(({ error }) => error === null).length;
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={`${approved} of ${results.length} approved`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ul className={classes['many']}>
        {results.map(({ request, error }) => (
          <li key={request.approvalId}>
            <Named request={request} />
            <p className={classes['result']} data-failed={error !== null}>
              {error === null ? (
                <>
                  <CircleCheck size={16} aria-hidden /> Approved
                </>
              ) : (
                <>
                  <TriangleAlert size={16} aria-hidden /> Not approved: {error.message}
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      <div className={classes['actions']}>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </div>
    </Modal>
  );
}

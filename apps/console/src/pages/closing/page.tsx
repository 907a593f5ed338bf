import {
  type ClosingView,
  DISCARD_CLOSING,
  EXPORT_CLOSING,
  LIST_CLOSING_MEMBERS,
  LIST_CLOSING_MERCHANTS,
  READ_CLOSING,
  SIGN_CLOSING,
} from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  ActionButton,
  ApiError,
  Card,
  CsvLink,
  EffectDialog,
  Empty,
  type List,
  Loaded,
  Page,
  PaperPage,
  PrintButton,
  useList,
  useRead,
  useWrite,
} from '@munshi/web-ui';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'wouter';
import classes from './closing.module.css';
import { Difference } from './difference.tsx';
import { periodText, timeIn } from './period.ts';
import { ClosingStatus } from './status.tsx';
import { Counting, Members, Merchants } from './tables.tsx';

type Closing = AsText<ClosingView>;
const LIMIT = 200;
/** Writes of closings are announced as changes of settings. */
const WATCH = { watch: ['setting'] } as const;
const ALL = <Link href="/reports/days">All closed days</Link>;

/** A closing: counted, signed, printed. */
export default function ClosingPage() {
  const { closingId = '' } = useParams();
  const read = useRead(READ_CLOSING, { params: { closingId } }, WATCH);
  const isNone = read.error instanceof ApiError && read.error.refusal.code === 'not-found';
  if (isNone)
    return (
      <Page title="No such closing" lead={ALL}>
        <Card>
          <Empty>It does not exist.</Empty>
        </Card>
      </Page>
    );
  return <Loaded read={read}>{({ data }) => <Shown closing={data} />}</Loaded>;
}

function Shown({ closing }: { readonly closing: Closing }) {
  const { closingId, allowedActions, status } = closing;
  const [asked, setAsked] = useState<'sign' | 'discard' | null>(null);
  const may = (action: Closing['allowedActions'][number]) => allowedActions.includes(action);
  const close = () => setAsked(null);
  return (
    <>
      <PaperPage
        title={periodText(closing)}
        beside={<ClosingStatus closing={closing} />}
        lead={ALL}
        actions={
          <>
            {may('discard') ? (
              <ActionButton variant="default" letter="d" onClick={() => setAsked('discard')}>
                Discard
              </ActionButton>
            ) : null}
            <CsvLink
              path={EXPORT_CLOSING.path.replace(':closingId', closingId)}
              label="Save this closing as a CSV file"
            />
            {status === 'open' ? null : <PrintButton />}
            {may('sign') ? (
              <ActionButton letter="s" onClick={() => setAsked('sign')}>
                Sign
              </ActionButton>
            ) : null}
          </>
        }
      >
        <Sheet closing={closing} counts={may('count')} />
      </PaperPage>
      {asked === 'sign' ? <SignDialog closing={closing} onClose={close} /> : null}
      {asked === 'discard' ? <DiscardDialog closing={closing} onClose={close} /> : null}
    </>
  );
}

/** What a printed page has. */
function Sheet({ closing, counts }: { readonly closing: Closing; readonly counts: boolean }) {
  const { closingId, sums } = closing;
  const query = { params: { closingId }, query: { limit: LIMIT } };
  const merchants = useWhole(useList(LIST_CLOSING_MERCHANTS, query, WATCH));
  const members = useWhole(useList(LIST_CLOSING_MEMBERS, query, WATCH));
  return (
    <div className={classes['sheet']}>
      <h2 className={classes['printed']}>Closing of {periodText(closing)}</h2>
      <Signatures closing={closing} />
      {counts ? (
        <Card title="Members’ floats">
          <Counting closingId={closingId} list={members} sums={sums} />
        </Card>
      ) : null}
      <Card title="Merchants’ wallets">
        <Merchants list={merchants} sums={sums} />
      </Card>
      {counts ? null : (
        <Card title="Members’ floats">
          <Members list={members} sums={sums} />
        </Card>
      )}
    </div>
  );
}

/** Reads page after page: a closing is counted and printed whole. */
function useWhole<Row>(list: List<Row>): List<Row> {
  const { hasMore, loadingMore, error, more } = list;
  useEffect(() => {
    if (hasMore && !loadingMore && error === null) more();
  });
  return list;
}

const DECIDED = { open: 'Next', signed: 'Signed by', discarded: 'Discarded by' };

function Signatures({ closing }: { readonly closing: Closing }) {
  const { timeZone, status, countedByName, begunAt, countedAt, decidedByName, decidedAt } = closing;
  const decided = decidedAt === null ? null : timeIn(decidedAt, timeZone);
  return (
    <Card>
      <dl className={classes['signatures']}>
        <div>
          <dt>Period</dt>
          <dd>
            {timeIn(closing.from, timeZone)} to {timeIn(closing.to, timeZone)}, {timeZone}
          </dd>
        </div>
        <div>
          <dt>{countedAt === null ? 'Begun by' : 'Counted by'}</dt>
          <dd>
            {countedByName}, {timeIn(countedAt ?? begunAt, timeZone)}
          </dd>
        </div>
        <div>
          <dt>{DECIDED[status]}</dt>
          <dd>
            {decided === null ? <NextStep closing={closing} /> : `${decidedByName}, ${decided}`}
          </dd>
        </div>
        {closing.note === null ? null : (
          <div>
            <dt>Note</dt>
            <dd>{closing.note}</dd>
          </div>
        )}
      </dl>
    </Card>
  );
}

/** What an open closing waits for. */
function NextStep({ closing }: { readonly closing: Closing }) {
  const { allowedActions, countedByName, sums } = closing;
  const { uncounted } = sums.members;
  if (allowedActions.includes('sign')) return <>Read the figures, then sign.</>;
  if (uncounted === 0)
    return (
      <>
        Waits for an admin or approver who did not count, and was let in by another approver than{' '}
        {countedByName}.
      </>
    );
  const floats = uncounted === 1 ? '1 float is' : `${uncounted} floats are`;
  return allowedActions.includes('count') ? (
    <>{floats} still to be counted.</>
  ) : (
    <>
      {countedByName} counts: {floats} missing.
    </>
  );
}

interface DialogProps {
  readonly closing: Closing;
  onClose(): void;
}

function SignDialog({ closing, onClose }: DialogProps) {
  const { send } = useWrite(SIGN_CLOSING);
  const { closingId, countedAt, sums, countedByName } = closing;
  return (
    <EffectDialog
      title={`Sign ${periodText(closing)}`}
      button="Sign"
      note={{ required: false, hint: 'Stays with the closing.' }}
      onClose={onClose}
      onSend={(note) =>
        send({ params: { closingId }, body: { countedAt, ...(note !== '' && { note }) } })
      }
    >
      <p>
        Counted by {countedByName}: <Difference amount={sums.members.difference} />
      </p>
      <p>
        A signed closing never changes. A later correction belongs to the day on which it is made.
      </p>
    </EffectDialog>
  );
}

function DiscardDialog({ closing, onClose }: DialogProps) {
  const { send } = useWrite(DISCARD_CLOSING);
  const { closingId } = closing;
  return (
    <EffectDialog
      danger
      title={`Discard ${periodText(closing)}`}
      button="Discard"
      note={{ hint: 'Stays with the closing.' }}
      onClose={onClose}
      onSend={(note) => send({ params: { closingId }, body: { note } })}
    >
      <p>What was counted is left, and the period can be closed again.</p>
    </EffectDialog>
  );
}

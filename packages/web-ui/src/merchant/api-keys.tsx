import { Button } from '@mantine/core';
import { type Dispatch, type ReactNode, type SetStateAction, useId, useState } from 'react';
import type { List } from '../api.tsx';
import { isAskedFor } from '../asked-for.ts';
import { Copy } from '../copy.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { EffectDialog, Warnings } from '../effect-dialog.tsx';
import { Card } from '../page.tsx';
import { SecretsDialog } from '../secrets-dialog.tsx';
import { useActionCode } from '../sign-in/one-time-code/use-action-code.tsx';
import { Chip } from '../status-chip.tsx';
import { When } from '../when.tsx';
import classes from './merchant.module.css';

/** An API key in a list. */
interface Key {
  readonly keyId: string;
  readonly prefix: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  readonly lastOrderAt: string | null;
  readonly lastUse?: { readonly at: string; readonly address: string } | null;
  readonly allowedActions: readonly string[];
}
interface IssuedSecret {
  readonly apiKey: string;
  readonly signingSecret: string;
}
/** What came of issuing a key: its secrets, or a sentence that says what came instead. */
export type Issued = IssuedSecret | { readonly instead: ReactNode };
type Issue = 'add' | 'regenerate';
/** A key that operators have decided, which this person may fetch. */
interface ReadyKey {
  readonly approvalId: string;
  readonly requestedName: string;
  readonly fetchableUntil: string;
  readonly revokesOthers: boolean;
}
/** What is asked for, or the secret that came of it. */
type Step =
  | Issue
  | { readonly fetch: ReadyKey }
  | { readonly revoke: Key }
  | { readonly came: Issued }
  | null;

export interface ApiKeysProps {
  readonly list: List<Key>;
  /** Of the merchant; typed before keys stop working, where no code is asked for. */
  readonly name: string;
  readonly mayIssue: Readonly<Record<Issue, boolean>>;
  /** False hides what the keys themselves allow. */
  readonly mayRevoke?: boolean;
  /** A one-time code goes with each action. */
  readonly byCode?: boolean;
  /** Above the list. */
  readonly hint?: ReactNode;
  /** Keys to be fetched, with a code; `instead`: what stands in the place of the button. */
  readonly ready?: {
    readonly keys: readonly ReadyKey[];
    readonly instead: ReactNode;
    fetch(approvalId: string, oneTimeCode: string): Promise<Issued>;
  };
  /** Whether a second operator has to agree. */
  ifItWaits?(issue: Issue): ReactNode;
  issue(issue: Issue, oneTimeCode: string): Promise<Issued>;
  revoke(keyId: string, oneTimeCode: string): Promise<unknown>;
}

/** The API keys of a merchant: new, regenerate, revoke; a secret is shown once. */
export function ApiKeys(props: ApiKeysProps) {
  const { list, mayIssue, mayRevoke = true, hint, ready } = props;
  const [step, setStep] = useState<Step>(() => (mayIssue.add && isAskedFor('key') ? 'add' : null));
  return (
    <Card
      title="API keys"
      actions={
        <div className={classes['save']}>
          {mayIssue.regenerate ? (
            <Button variant="default" size="xs" onClick={() => setStep('regenerate')}>
              Regenerate
            </Button>
          ) : null}
          {mayIssue.add ? (
            <Button size="xs" onClick={() => setStep('add')}>
              New key
            </Button>
          ) : null}
        </div>
      }
    >
      {ready?.keys.map((key) => (
        <Ready key={key.approvalId} of={key}>
          {ready.instead ?? (
            <Button size="xs" onClick={() => setStep({ fetch: key })}>
              Fetch it
            </Button>
          )}
        </Ready>
      ))}
      {hint === undefined ? null : <div className={classes['hint']}>{hint}</div>}
      <p role="status" className={classes['instead']}>
        {isCame(step) && 'instead' in step.came ? step.came.instead : ''}
      </p>
      <DataTable
        label="API keys"
        list={list}
        rowId={({ keyId }) => keyId}
        rowLabel={({ prefix }) => prefix}
        empty={<p>No key yet: this merchant cannot make orders.</p>}
        columns={columnsOf(list.rows, mayRevoke, (revoke) => setStep({ revoke }))}
      />
      <Dialogs {...props} step={step} setStep={setStep} onIssued={(came) => setStep({ came })} />
    </Card>
  );
}

/** Says that a key can be fetched. */
function Ready({ of, children }: { readonly of: ReadyKey; readonly children: ReactNode }) {
  const heading = useId();
  const { requestedName, fetchableUntil, revokesOthers } = of;
  return (
    <section className={classes['ready']} aria-labelledby={heading}>
      <div>
        <h3 id={heading}>A new API key is ready</h3>
        <p>
          {requestedName} has asked for it, and another operator has agreed. Fetch it by{' '}
          <When at={fetchableUntil} />.{revokesOthers ? ` Every other key stops working then.` : ''}
        </p>
      </div>
      {children}
    </section>
  );
}

/** Last use and the column of actions are there where some key has them. */
function columnsOf(
  keys: readonly Key[] = [],
  isRevoker: boolean,
  onRevoke: (key: Key) => void,
): Column<Key>[] {
  const knowsUse = keys.some(({ lastUse }) => lastUse !== undefined);
  const mayRevoke =
    isRevoker && keys.some(({ allowedActions }) => allowedActions.includes('revoke'));
  return [
    {
      id: 'prefix',
      header: 'Key',
      cell: ({ prefix }) => <Copy value={`mk_live_${prefix}`} what="the start of the key" mono />,
    },
    {
      id: 'status',
      header: 'Status',
      cell: ({ revokedAt }) =>
        revokedAt === null ? (
          <Chip tone="done" label="In force" />
        ) : (
          <Chip tone="over" label="Revoked" />
        ),
    },
    { id: 'created', header: 'Added', cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      id: 'last',
      header: 'Last order',
      cell: ({ lastOrderAt }) => (lastOrderAt === null ? <None /> : <When at={lastOrderAt} />),
    },
    ...(knowsUse ? [LAST_USE] : []),
    ...(mayRevoke
      ? [
          {
            id: 'revoke',
            header: 'Action',
            align: 'end' as const,
            cell: (key: Key) =>
              key.allowedActions.includes('revoke') ? (
                <Button
                  variant="subtle"
                  color="bad"
                  size="compact-sm"
                  aria-label={`Revoke ${key.prefix}`}
                  onClick={() => onRevoke(key)}
                >
                  Revoke
                </Button>
              ) : null,
          },
        ]
      : []),
  ];
}

const None = () => <span className="quiet">None lately</span>;

const LAST_USE: Column<Key> = {
  id: 'use',
  header: 'Last request',
  cell: ({ lastUse }) =>
    lastUse === null || lastUse === undefined ? (
      <None />
    ) : (
      <span>
        <When at={lastUse.at} /> from <span className="number">{lastUse.address}</span>
      </span>
    ),
};

const isCame = (step: Step): step is { readonly came: Issued } =>
  step !== null && typeof step === 'object' && 'came' in step;

function Dialogs({
  name,
  byCode = false,
  ifItWaits,
  issue,
  revoke,
  ready,
  step,
  setStep,
  onIssued,
}: ApiKeysProps & {
  readonly step: Step;
  readonly setStep: Dispatch<SetStateAction<Step>>;
  onIssued(came: Issued): void;
}) {
  const { code, field, dialog, send, forget } = useActionCode(byCode);
  if (step === null) return null;
  if (isCame(step))
    return 'instead' in step.came ? null : (
      <SecretsDialog title="Keep these now" secrets={step.came} onKept={() => setStep(null)}>
        <p className={classes['hint']}>They are shown this once, and nobody can read them again.</p>
      </SecretsDialog>
    );
  const common = {
    ...dialog,
    /** What came of it may stand in the dialog's place by then. */
    onClose: () => {
      forget();
      setStep((now) => (isCame(now) ? now : null));
    },
  };
  /** A code confirms what is dangerous; without one the name is typed. */
  const danger = { danger: true, ...(byCode ? {} : { typed: name }) };
  const issueBy = (which: Issue) => send(async () => onIssued(await issue(which, code)));
  if (step === 'add')
    return (
      <EffectDialog
        {...common}
        title={`New key for ${name}`}
        button="New key"
        onSend={() => issueBy('add')}
      >
        <p>The keys that there are keep working.</p>
        {ifItWaits?.('add')}
        {field}
      </EffectDialog>
    );
  if (step === 'regenerate')
    return (
      <EffectDialog
        {...common}
        {...danger}
        title={`Regenerate the keys of ${name}`}
        button="Regenerate"
        onSend={() => issueBy('regenerate')}
      >
        <Warnings>{['Every key that there is now stops working at once.']}</Warnings>
        {ifItWaits?.('regenerate')}
        {field}
      </EffectDialog>
    );
  if ('fetch' in step) {
    const { approvalId, revokesOthers } = step.fetch;
    return (
      <EffectDialog
        {...common}
        danger={revokesOthers}
        title={`Fetch the new key of ${name}`}
        button="Fetch it"
        onSend={() =>
          send(async () => {
            if (ready !== undefined) onIssued(await ready.fetch(approvalId, code));
          })
        }
      >
        {revokesOthers ? (
          <Warnings>{['Every key that there is now stops working at once.']}</Warnings>
        ) : (
          <p>The keys that there are keep working.</p>
        )}
        {ifItWaits?.('add')}
        {field}
      </EffectDialog>
    );
  }
  const { keyId, prefix, lastUse, lastOrderAt } = step.revoke;
  const usedAt = lastUse?.at ?? lastOrderAt;
  return (
    <EffectDialog
      {...common}
      {...danger}
      title={`Revoke ${prefix}`}
      onSend={() => send(() => revoke(keyId, code))}
    >
      <Warnings>
        {[
          'Requests with this key are refused at once.',
          ...(usedAt === null
            ? []
            : [
                <span key="used">
                  {lastUse == null ? 'Last order' : 'Last request'}: <When at={usedAt} />
                </span>,
              ]),
        ]}
      </Warnings>
      {field}
    </EffectDialog>
  );
}

import { Button, Checkbox, Modal } from '@mantine/core';
import { type Dispatch, type ReactNode, type SetStateAction, useState } from 'react';
import type { List } from '../api.tsx';
import { Copy } from '../copy.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { EffectDialog, Warnings } from '../effect-dialog.tsx';
import { Card } from '../page.tsx';
import { CodeInput } from '../sign-in/one-time-code/code-input.tsx';
import { Chip } from '../status-chip.tsx';
import { When } from '../when.tsx';
import { texts } from './key-texts.ts';
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
type Issue = 'add' | 'regenerate';
/** What is asked for, or the secret that came of it. */
type Step = Issue | { readonly revoke: Key } | { readonly secret: IssuedSecret } | null;

export interface ApiKeysProps {
  readonly list: List<Key>;
  /** Of the merchant; typed before keys stop working. */
  readonly name: string;
  readonly mayIssue: Readonly<Record<Issue, boolean>>;
  /** A one-time code goes with each deed. */
  readonly byCode?: boolean;
  /** Above the list. */
  readonly hint?: ReactNode;
  /** Throws where the secret does not come of it: the sentence is shown. */
  issue(issue: Issue, oneTimeCode: string): Promise<IssuedSecret>;
  revoke(keyId: string, oneTimeCode: string): Promise<unknown>;
}

/** The API keys of a merchant: new, regenerate, revoke; a secret is shown once. */
export function ApiKeys(props: ApiKeysProps) {
  const { list, mayIssue, hint } = props;
  const [step, setStep] = useState<Step>(null);
  return (
    <Card
      title={texts.title}
      actions={
        <div className={classes['save']}>
          {mayIssue.regenerate ? (
            <Button variant="default" size="xs" onClick={() => setStep('regenerate')}>
              {texts.regenerate}
            </Button>
          ) : null}
          {mayIssue.add ? (
            <Button size="xs" onClick={() => setStep('add')}>
              {texts.add}
            </Button>
          ) : null}
        </div>
      }
    >
      {hint === undefined ? null : <div className={classes['hint']}>{hint}</div>}
      <DataTable
        label={texts.title}
        list={list}
        rowId={({ keyId }) => keyId}
        rowLabel={({ prefix }) => prefix}
        empty={<p>{texts.none}</p>}
        columns={columnsOf(list.rows, (revoke) => setStep({ revoke }))}
      />
      <Dialogs {...props} step={step} setStep={setStep} />
    </Card>
  );
}

/** Last use and the column of deeds are there where some key has them. */
function columnsOf(keys: readonly Key[] = [], onRevoke: (key: Key) => void): Column<Key>[] {
  const knowsUse = keys.some(({ lastUse }) => lastUse !== undefined);
  const mayRevoke = keys.some(({ allowedActions }) => allowedActions.includes('revoke'));
  return [
    {
      id: 'prefix',
      header: texts.prefix,
      cell: ({ prefix }) => <Copy value={`mk_live_${prefix}`} what={texts.thePrefix} mono />,
    },
    {
      id: 'status',
      header: texts.status,
      cell: ({ revokedAt }) =>
        revokedAt === null ? (
          <Chip tone="done" label={texts.inForce} />
        ) : (
          <Chip tone="over" label={texts.isRevoked} />
        ),
    },
    { id: 'created', header: texts.created, cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      id: 'last',
      header: texts.lastOrder,
      cell: ({ lastOrderAt }) => (lastOrderAt === null ? <None /> : <When at={lastOrderAt} />),
    },
    ...(knowsUse ? [LAST_USE] : []),
    ...(mayRevoke
      ? [
          {
            id: 'revoke',
            header: texts.actions,
            align: 'end' as const,
            cell: (key: Key) =>
              key.allowedActions.includes('revoke') ? (
                <Button
                  variant="subtle"
                  color="bad"
                  size="compact-sm"
                  aria-label={texts.revokeTitle(key.prefix)}
                  onClick={() => onRevoke(key)}
                >
                  {texts.revoke}
                </Button>
              ) : null,
          },
        ]
      : []),
  ];
}

const None = () => <span className="quiet">{texts.noneLately}</span>;

const LAST_USE: Column<Key> = {
  id: 'use',
  header: texts.lastUse,
  cell: ({ lastUse }) =>
    lastUse === null || lastUse === undefined ? (
      <None />
    ) : (
      <span>
        <When at={lastUse.at} /> {texts.from} <span className="number">{lastUse.address}</span>
      </span>
    ),
};

function Dialogs({
  name,
  byCode = false,
  issue,
  revoke,
  step,
  setStep,
}: ApiKeysProps & {
  readonly step: Step;
  readonly setStep: Dispatch<SetStateAction<Step>>;
}) {
  const [code, setCode] = useState('');
  if (step === null) return null;
  if (typeof step === 'object' && 'secret' in step)
    return <SecretDialog secret={step.secret} onClose={() => setStep(null)} />;
  const common = {
    ready: !byCode || code !== '',
    /** What came of it may stand in the dialog's place by then. */
    onClose: () => {
      setCode('');
      setStep((now) => (now !== null && typeof now === 'object' && 'secret' in now ? now : null));
    },
  };
  const codeField = byCode ? (
    <CodeInput recovery={false} value={code} onChange={setCode} missing={false} />
  ) : null;
  const send = async (which: Issue) => setStep({ secret: await issue(which, code) });
  if (step === 'add')
    return (
      <EffectDialog
        {...common}
        title={texts.addTitle(name)}
        deed={texts.add}
        onSend={() => send('add')}
      >
        <p>{texts.addEffect}</p>
        {codeField}
      </EffectDialog>
    );
  if (step === 'regenerate')
    return (
      <EffectDialog
        {...common}
        title={texts.regenerateTitle(name)}
        deed={texts.regenerate}
        danger
        typed={name}
        onSend={() => send('regenerate')}
      >
        <Warnings>{[texts.regenerateWarning]}</Warnings>
        {codeField}
      </EffectDialog>
    );
  const { keyId, prefix } = step.revoke;
  return (
    <EffectDialog
      {...common}
      title={texts.revokeTitle(prefix)}
      danger
      typed={name}
      onSend={() => revoke(keyId, code)}
    >
      <Warnings>{[texts.revokeWarning]}</Warnings>
      {codeField}
    </EffectDialog>
  );
}

/** Shown once; it closes only for whoever says that they have kept it. */
function SecretDialog({ secret, onClose }: { readonly secret: IssuedSecret; onClose(): void }) {
  const [kept, setKept] = useState(false);
  return (
    <Modal
      opened
      size="lg"
      title={texts.secretTitle}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={onClose}
    >
      <p className={classes['hint']}>{texts.secretHint}</p>
      <dl className={classes['secret']}>
        <div>
          <dt>{texts.apiKey}</dt>
          <dd>
            <Copy value={secret.apiKey} what={texts.apiKey} mono />
          </dd>
        </div>
        <div>
          <dt>{texts.signingSecret}</dt>
          <dd>
            <Copy value={secret.signingSecret} what={texts.signingSecret} mono />
          </dd>
        </div>
      </dl>
      <div className={classes['save']}>
        <Checkbox
          label={texts.kept}
          checked={kept}
          onChange={({ currentTarget }) => setKept(currentTarget.checked)}
        />
        <Button disabled={!kept} onClick={onClose}>
          {texts.done}
        </Button>
      </div>
    </Modal>
  );
}

import { Button, Checkbox, Modal } from '@mantine/core';
import {
  ADD_API_KEY,
  LIST_API_KEYS,
  type ListedApiKeyView,
  REGENERATE_API_KEY,
  REVOKE_API_KEY,
} from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  Card,
  Chip,
  type Column,
  Copy,
  DataTable,
  EffectDialog,
  useList,
  useWrite,
  Warnings,
  When,
} from '@munshi/web-ui';
import { type Dispatch, type SetStateAction, useState } from 'react';
import classes from './merchant.module.css';
import type { TabProps } from './page.tsx';
import { texts } from './texts.ts';

type Key = AsText<ListedApiKeyView>;
interface Secret {
  readonly apiKey: string;
  readonly signingSecret: string;
}
/** What is asked for, or the secret that came of it. */
type Step = 'add' | 'regenerate' | { readonly revoke: Key } | { readonly secret: Secret } | null;

export function KeysTab({ merchant }: TabProps) {
  const { merchantId, allowedActions } = merchant;
  const [step, setStep] = useState<Step>(null);
  const list = useList(LIST_API_KEYS, { params: { merchantId } }, { watch: ['setting'] });
  const columns: readonly Column<Key>[] = [
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
      cell: ({ lastOrderAt }) =>
        lastOrderAt === null ? (
          <span className="quiet">{texts.noneLately}</span>
        ) : (
          <When at={lastOrderAt} />
        ),
    },
    {
      id: 'revoke',
      header: texts.actionsColumn,
      align: 'end',
      cell: (key) =>
        key.allowedActions.includes('revoke') ? (
          <Button
            variant="subtle"
            color="bad"
            size="compact-sm"
            aria-label={texts.revokeTitle(key.prefix)}
            onClick={() => setStep({ revoke: key })}
          >
            {texts.revoke}
          </Button>
        ) : null,
    },
  ];
  return (
    <Card
      title={texts.keysTitle}
      actions={
        <div className={classes['save']}>
          {allowedActions.includes('api-keys/regenerate') ? (
            <Button variant="default" size="xs" onClick={() => setStep('regenerate')}>
              {texts.regenerate}
            </Button>
          ) : null}
          {allowedActions.includes('api-keys') ? (
            <Button size="xs" onClick={() => setStep('add')}>
              {texts.addKey}
            </Button>
          ) : null}
        </div>
      }
    >
      <DataTable
        label={texts.keysTitle}
        list={list}
        rowId={({ keyId }) => keyId}
        rowLabel={({ prefix }) => prefix}
        empty={<p>{texts.noKeys}</p>}
        columns={columns}
      />
      <KeyDialogs merchant={merchant} step={step} setStep={setStep} />
    </Card>
  );
}

function KeyDialogs({
  merchant: { merchantId, name },
  step,
  setStep,
}: TabProps & { readonly step: Step; readonly setStep: Dispatch<SetStateAction<Step>> }) {
  const add = useWrite(ADD_API_KEY);
  const regenerate = useWrite(REGENERATE_API_KEY);
  const revoke = useWrite(REVOKE_API_KEY);
  /** The dialog closes when its deed is done, and what came of it may stand in its place by then. */
  const close = () =>
    setStep((now) => (now !== null && typeof now === 'object' && 'secret' in now ? now : null));
  const issue = async (write: typeof add | typeof regenerate) => {
    const { data } = await write.send({ params: { merchantId } });
    if ('status' in data) throw new Error(texts.waits);
    const { apiKey, signingSecret } = data;
    if (apiKey === undefined || signingSecret === undefined) throw new Error(texts.secretGone);
    setStep({ secret: { apiKey, signingSecret } });
  };
  if (step === null) return null;
  if (step === 'add')
    return (
      <EffectDialog
        title={texts.addKeyTitle(name)}
        deed={texts.addKey}
        onClose={close}
        onSend={() => issue(add)}
      >
        <p>{texts.addKeyEffect}</p>
      </EffectDialog>
    );
  if (step === 'regenerate')
    return (
      <EffectDialog
        title={texts.regenerateTitle(name)}
        deed={texts.regenerate}
        danger
        typed={name}
        onClose={close}
        onSend={() => issue(regenerate)}
      >
        <Warnings>{[texts.regenerateWarning]}</Warnings>
      </EffectDialog>
    );
  if ('secret' in step) return <SecretDialog secret={step.secret} onClose={() => setStep(null)} />;
  const { keyId, prefix } = step.revoke;
  return (
    <EffectDialog
      title={texts.revokeTitle(prefix)}
      danger
      typed={name}
      onClose={close}
      onSend={() => revoke.send({ params: { merchantId, keyId } })}
    >
      <Warnings>{[texts.revokeWarning]}</Warnings>
    </EffectDialog>
  );
}

/** Shown once; it closes only for whoever says that they have kept it. */
function SecretDialog({ secret, onClose }: { readonly secret: Secret; onClose(): void }) {
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

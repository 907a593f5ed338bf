import { Button, Modal, PasswordInput } from '@mantine/core';
import {
  CHANGE_OWN_PASSWORD,
  END_OTHER_SESSIONS,
  END_SESSION,
  LIST_SESSIONS,
  READ_CODE_STATE,
  RENEW_RECOVERY_CODES,
  type SignInView,
  TURN_CODE_OFF,
} from '@munshi/api';
import {
  browserOf,
  Card,
  Chip,
  CodeInput,
  callOrThrow,
  codeTexts,
  DataTable,
  EffectDialog,
  Loaded,
  Page,
  RecoveryCodes,
  SetUpCode,
  useList,
  useRead,
  useService,
  useWrite,
  When,
} from '@munshi/web-ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { service } from '../../service.ts';
import { CODES } from '../../session.tsx';
import { texts } from './texts.ts';

/** One's own sign-in: one-time codes, where one is signed in, the password. */
export default function SecurityPage() {
  return (
    <Page title={texts.title}>
      <Codes />
      <SignIns />
      <Password />
    </Page>
  );
}

type CodeDialog = 'set-up' | 'turn-off' | 'renew';

function Codes() {
  const state = useRead(READ_CODE_STATE, {});
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<CodeDialog | null>(null);
  const done = () => {
    setDialog(null);
    void queries.invalidateQueries();
  };
  return (
    <Loaded read={state}>
      {({ data: { on, recoveryCodesLeft } }) => (
        <Card
          title={texts.codes}
          actions={<Chip tone={on ? 'done' : 'needed'} label={on ? texts.on : texts.off} />}
        >
          <p style={{ marginTop: 0 }}>
            {on ? texts.onLead : texts.offLead} {on ? texts.left(recoveryCodesLeft) : null}{' '}
            {on && recoveryCodesLeft <= 3 ? texts.fewLeft : null}
          </p>
          {on ? (
            <>
              <Button variant="default" onClick={() => setDialog('renew')}>
                {texts.renew}
              </Button>{' '}
              <Button variant="default" onClick={() => setDialog('turn-off')}>
                {texts.turnOff}
              </Button>
            </>
          ) : (
            <Button onClick={() => setDialog('set-up')}>{texts.setUp}</Button>
          )}
          {dialog === 'set-up' ? (
            <Modal
              opened
              onClose={done}
              title={<strong>{codeTexts.title}</strong>}
              size="lg"
              closeOnClickOutside={false}
              closeButtonProps={{ 'aria-label': codeTexts.back }}
            >
              <SetUpCode calls={CODES} onDone={done} />
            </Modal>
          ) : null}
          {dialog === 'turn-off' ? <TurnOff onClose={done} /> : null}
          {dialog === 'renew' ? <Renew onClose={done} /> : null}
        </Card>
      )}
    </Loaded>
  );
}

function TurnOff({ onClose }: { onClose(): void }) {
  const { api } = useService();
  const [code, setCode] = useState('');
  return (
    <EffectDialog
      title={texts.turnOff}
      danger
      ready={code !== ''}
      onClose={onClose}
      onSend={() => callOrThrow(api, TURN_CODE_OFF, { body: { oneTimeCode: code } })}
    >
      <p>{texts.turnOffLead}</p>
      <CodeInput recovery={false} value={code} onChange={setCode} missing={false} />
    </EffectDialog>
  );
}

function Renew({ onClose }: { onClose(): void }) {
  const { api } = useService();
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [asking, setAsking] = useState(true);
  if (codes !== null)
    return (
      <Modal
        opened
        onClose={onClose}
        title={<strong>{texts.renew}</strong>}
        size="lg"
        withCloseButton={false}
      >
        <RecoveryCodes codes={codes} onKept={onClose} />
      </Modal>
    );
  if (!asking) return null;
  return (
    <EffectDialog
      title={texts.renew}
      ready={code !== ''}
      onClose={() => {
        setAsking(false);
        if (codes === null) onClose();
      }}
      onSend={async () => {
        const body = { oneTimeCode: code };
        setCodes((await callOrThrow(api, RENEW_RECOVERY_CODES, { body })).data.recoveryCodes);
        return new Promise(() => {}); // the codes take its place
      }}
    >
      <p>{texts.renewLead}</p>
      <CodeInput value={code} onChange={setCode} missing={false} />
    </EffectDialog>
  );
}

function SignIns() {
  const list = useList(LIST_SESSIONS, {});
  const end = useWrite(END_SESSION);
  const endOthers = useWrite(END_OTHER_SESSIONS);
  const others = (list.rows ?? []).some(({ current }) => !current);
  const nameOf = ({ userAgent }: SignInView) => browserOf(userAgent) ?? texts.unknownBrowser;
  return (
    <Card
      title={texts.sessions}
      actions={
        others ? (
          <Button
            variant="default"
            size="compact-sm"
            loading={endOthers.sending}
            onClick={() => void endOthers.send({})}
          >
            {texts.endOthers}
          </Button>
        ) : null
      }
    >
      <DataTable
        label={texts.sessions}
        list={list}
        rowId={({ sessionId }) => sessionId}
        rowLabel={nameOf}
        empty={<p>{texts.scriptOnly}</p>}
        columns={[
          {
            id: 'browser',
            header: texts.browser,
            cell: (row) => (
              <>
                {nameOf(row)} {row.current ? <Chip tone="busy" label={texts.here} /> : null}
              </>
            ),
          },
          { id: 'from', header: texts.from, cell: ({ address }) => address ?? '' },
          {
            id: 'since',
            header: texts.since,
            cell: ({ createdAt }) => <When at={createdAt} />,
          },
          { id: 'used', header: texts.used, cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
          {
            id: 'end',
            header: texts.end,
            align: 'end',
            cell: (row) =>
              row.current ? null : (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={texts.endOf(nameOf(row), row.address ?? '')}
                  onClick={() => void end.send({ params: { sessionId: row.sessionId } })}
                >
                  {texts.end}
                </Button>
              ),
          },
        ]}
      />
    </Card>
  );
}

function Password() {
  const { api } = useService();
  const [asking, setAsking] = useState(false);
  const [changed, setChanged] = useState(false);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const send = async () => {
    const body = { currentPassword: current, newPassword: next };
    service.keepToken((await callOrThrow(api, CHANGE_OWN_PASSWORD, { body })).data);
    setChanged(true);
  };
  return (
    <Card title={texts.password}>
      <p style={{ marginTop: 0 }} role="status">
        {changed ? texts.changed : texts.passwordLead}
      </p>
      <Button
        variant="default"
        onClick={() => {
          setCurrent('');
          setNext('');
          setAsking(true);
        }}
      >
        {texts.change}
      </Button>
      {asking ? (
        <EffectDialog
          title={texts.change}
          ready={current !== '' && next.length >= 8}
          onClose={() => setAsking(false)}
          onSend={send}
        >
          <PasswordInput
            label={texts.current}
            autoComplete="current-password"
            data-autofocus
            value={current}
            onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
          />
          <PasswordInput
            label={texts.next}
            description={texts.nextHint}
            autoComplete="new-password"
            value={next}
            onChange={({ currentTarget }) => setNext(currentTarget.value)}
          />
        </EffectDialog>
      ) : null}
    </Card>
  );
}

import { Button, Modal, PasswordInput } from '@mantine/core';
import type {
  CHANGE_OWN_PASSWORD,
  END_OTHER_SESSIONS,
  END_SESSION,
  LIST_SESSIONS,
  PORTAL_CHANGE_PASSWORD,
  PORTAL_END_OTHER_SESSIONS,
  PORTAL_END_SESSION,
  PORTAL_LIST_SESSIONS,
  PORTAL_READ_CODE_STATE,
  PORTAL_RENEW_RECOVERY_CODES,
  PORTAL_TURN_CODE_OFF,
  READ_CODE_STATE,
  RENEW_RECOVERY_CODES,
  SignInView,
  TURN_CODE_OFF,
} from '@munshi/api';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callOrThrow, useList, useRead, useService, useWrite } from '../api.tsx';
import { browserOf } from '../browser.ts';
import { DataTable } from '../data-table.tsx';
import { EffectDialog } from '../effect-dialog.tsx';
import { Card, Page } from '../page.tsx';
import { Loaded } from '../states.tsx';
import { Chip } from '../status-chip.tsx';
import { When } from '../when.tsx';
import { CodeInput } from './one-time-code/code-input.tsx';
import { RecoveryCodes } from './one-time-code/recovery-codes.tsx';
import { type CodeCalls, SetUpCode } from './one-time-code/set-up-code.tsx';
import { texts as codeTexts } from './one-time-code/texts.ts';
import { texts } from './own-sign-in-texts.ts';
import type { WebService } from './web-service.ts';

/** What a face serves about one's own sign-in: the same on each. */
export interface OwnSignInFace {
  readonly web: WebService;
  readonly codes: CodeCalls;
  readonly codeState: typeof READ_CODE_STATE | typeof PORTAL_READ_CODE_STATE;
  readonly turnCodeOff: typeof TURN_CODE_OFF | typeof PORTAL_TURN_CODE_OFF;
  readonly renewCodes: typeof RENEW_RECOVERY_CODES | typeof PORTAL_RENEW_RECOVERY_CODES;
  readonly list: typeof LIST_SESSIONS | typeof PORTAL_LIST_SESSIONS;
  readonly end: typeof END_SESSION | typeof PORTAL_END_SESSION;
  readonly endOthers: typeof END_OTHER_SESSIONS | typeof PORTAL_END_OTHER_SESSIONS;
  readonly changePassword: typeof CHANGE_OWN_PASSWORD | typeof PORTAL_CHANGE_PASSWORD;
  /** What a new password ends. */
  readonly passwordLead: string;
}
interface Props {
  readonly face: OwnSignInFace;
}

/** One's own sign-in: one-time codes, where one is signed in, the password. */
export function OwnSignIn({ face }: Props) {
  return (
    <Page title={texts.title}>
      <Codes face={face} />
      <SignIns face={face} />
      <Password face={face} />
    </Page>
  );
}

type CodeDialog = 'set-up' | 'turn-off' | 'renew';

function Codes({ face }: Props) {
  const state = useRead(face.codeState, {});
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<CodeDialog | null>(null);
  const [hasCodes, setHasCodes] = useState(false);
  const done = () => {
    setDialog(null);
    setHasCodes(false);
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
              closeOnEscape={!hasCodes}
              withCloseButton={!hasCodes}
              closeButtonProps={{ 'aria-label': codeTexts.back }}
            >
              <SetUpCode calls={face.codes} onCodes={() => setHasCodes(true)} onDone={done} />
            </Modal>
          ) : null}
          {dialog === 'turn-off' ? <TurnOff face={face} onClose={done} /> : null}
          {dialog === 'renew' ? <Renew face={face} onClose={done} /> : null}
        </Card>
      )}
    </Loaded>
  );
}

function TurnOff({ face, onClose }: Props & { onClose(): void }) {
  const { api } = useService();
  const [code, setCode] = useState('');
  return (
    <EffectDialog
      title={texts.turnOff}
      danger
      ready={code !== ''}
      onClose={onClose}
      onSend={() => callOrThrow(api, face.turnCodeOff, { body: { oneTimeCode: code } })}
    >
      <p>{texts.turnOffLead}</p>
      <CodeInput value={code} onChange={setCode} />
    </EffectDialog>
  );
}

function Renew({ face, onClose }: Props & { onClose(): void }) {
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
        closeOnClickOutside={false}
        closeOnEscape={false}
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
        setCodes((await callOrThrow(api, face.renewCodes, { body })).data.recoveryCodes);
        return new Promise(() => {}); // the codes take its place
      }}
    >
      <p>{texts.renewLead}</p>
      <CodeInput value={code} onChange={setCode} />
    </EffectDialog>
  );
}

function SignIns({ face }: Props) {
  const list = useList(face.list, {});
  const end = useWrite(face.end);
  const endOthers = useWrite(face.endOthers);
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

function Password({ face }: Props) {
  const { api } = useService();
  const [asking, setAsking] = useState(false);
  const [changed, setChanged] = useState(false);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const send = async () => {
    const body = { currentPassword: current, newPassword: next };
    face.web.keepToken((await callOrThrow(api, face.changePassword, { body })).data);
    setChanged(true);
  };
  return (
    <Card title={texts.password}>
      <p style={{ marginTop: 0 }} role="status">
        {changed ? texts.changed : face.passwordLead}
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

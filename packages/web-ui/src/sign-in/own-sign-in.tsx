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
    <Page title="Sign-in and one-time codes">
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
          title="One-time codes"
          actions={<Chip tone={on ? 'done' : 'needed'} label={on ? 'On' : 'Off'} />}
        >
          <p style={{ marginTop: 0 }}>
            {on
              ? 'Asked for at every sign-in, after the password.'
              : 'Your password alone lets you in. With a code from your phone, a stolen password does not.'}{' '}
            {on
              ? recoveryCodesLeft === 1
                ? '1 recovery code is left.'
                : `${recoveryCodesLeft} recovery codes are left.`
              : null}{' '}
            {on && recoveryCodesLeft <= 3 ? 'Make new recovery codes before you run out.' : null}
          </p>
          {on ? (
            <>
              <Button variant="default" onClick={() => setDialog('renew')}>
                Make new recovery codes
              </Button>{' '}
              <Button variant="default" onClick={() => setDialog('turn-off')}>
                Turn codes off
              </Button>
            </>
          ) : (
            <Button onClick={() => setDialog('set-up')}>Set up one-time codes</Button>
          )}
          {dialog === 'set-up' ? (
            <Modal
              opened
              onClose={done}
              title={<strong>Set up one-time codes</strong>}
              size="lg"
              closeOnClickOutside={false}
              closeOnEscape={!hasCodes}
              withCloseButton={!hasCodes}
              closeButtonProps={{ 'aria-label': 'Back' }}
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
      title="Turn codes off"
      danger
      ready={code !== ''}
      onClose={onClose}
      onSend={() => callOrThrow(api, face.turnCodeOff, { body: { oneTimeCode: code } })}
    >
      <p>Then your password alone lets you in. Enter a code to show that it is you.</p>
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
        title={<strong>Make new recovery codes</strong>}
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
      title="Make new recovery codes"
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
      <p>The codes that you kept are void then. Enter a code to show that it is you.</p>
      <CodeInput value={code} onChange={setCode} />
    </EffectDialog>
  );
}

function SignIns({ face }: Props) {
  const list = useList(face.list, {});
  const end = useWrite(face.end);
  const endOthers = useWrite(face.endOthers);
  const others = (list.rows ?? []).some(({ current }) => !current);
  const nameOf = ({ userAgent }: SignInView) => browserOf(userAgent) ?? 'Unknown browser';
  return (
    <Card
      title="Where you are signed in"
      actions={
        others ? (
          <Button
            variant="default"
            size="compact-sm"
            loading={endOthers.sending}
            onClick={() => void endOthers.send({})}
          >
            End all others
          </Button>
        ) : null
      }
    >
      <DataTable
        label="Where you are signed in"
        list={list}
        rowId={({ sessionId }) => sessionId}
        rowLabel={nameOf}
        empty={<p>You work by script token, which has neither codes nor sign-ins.</p>}
        columns={[
          {
            id: 'browser',
            header: 'Browser',
            cell: (row) => (
              <>
                {nameOf(row)} {row.current ? <Chip tone="busy" label="This window" /> : null}
              </>
            ),
          },
          { id: 'from', header: 'From', cell: ({ address }) => address ?? '' },
          {
            id: 'since',
            header: 'Signed in',
            cell: ({ createdAt }) => <When at={createdAt} />,
          },
          { id: 'used', header: 'Last used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
          {
            id: 'end',
            header: 'End',
            align: 'end',
            cell: (row) =>
              row.current ? null : (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={`End the sign-in of ${nameOf(row)} from ${row.address ?? ''}`}
                  onClick={() => void end.send({ params: { sessionId: row.sessionId } })}
                >
                  End
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
    <Card title="Password">
      <p style={{ marginTop: 0 }} role="status">
        {changed ? 'The password is changed. All other sign-ins have ended.' : face.passwordLead}
      </p>
      <Button
        variant="default"
        onClick={() => {
          setCurrent('');
          setNext('');
          setAsking(true);
        }}
      >
        Change the password
      </Button>
      {asking ? (
        <EffectDialog
          title="Change the password"
          ready={current !== '' && next.length >= 8}
          onClose={() => setAsking(false)}
          onSend={send}
        >
          <PasswordInput
            label="Present password"
            autoComplete="current-password"
            data-autofocus
            value={current}
            onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
          />
          <PasswordInput
            label="New password"
            description="At least 8 characters. Several words that do not belong together make a good one."
            autoComplete="new-password"
            value={next}
            onChange={({ currentTarget }) => setNext(currentTarget.value)}
          />
        </EffectDialog>
      ) : null}
    </Card>
  );
}

import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Copy } from '../../copy.tsx';
import { Refusal } from '../../states.tsx';
import { CodeInput } from './code-input.tsx';
import classes from './one-time-code.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';

interface App {
  readonly secret: string;
  readonly qrSvg: string;
}

/** How a face sets one-time codes up. The calls throw what `callOrThrow` does. */
export interface CodeCalls {
  setUp(currentPassword: string): Promise<App>;
  /** Turns codes on by a first one, and answers the recovery codes. */
  confirm(oneTimeCode: string): Promise<readonly string[]>;
}

interface SetUpCodeProps {
  readonly calls: CodeCalls;
  /** The recovery codes show, this once. */
  onCodes?(): void;
  onDone(): void;
}

/** Sets codes up: the password, the app and its first code, the recovery codes. */
export function SetUpCode({ calls, onCodes, onDone }: SetUpCodeProps) {
  const [app, setApp] = useState<App | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const show = (made: readonly string[]) => {
    setCodes(made);
    onCodes?.();
  };
  if (codes !== null) return <RecoveryCodes codes={codes} onKept={onDone} />;
  if (app !== null) return <FirstCode app={app} calls={calls} onTurnedOn={show} />;
  return <Password calls={calls} onRight={setApp} />;
}

/** A form of one step: sends, and shows the sentence of a refusal. */
function Step({
  button,
  children,
  onSend,
}: {
  readonly button: string;
  readonly children: (tried: boolean) => ReactNode;
  /** False where a field is missing. */
  onSend(): Promise<void> | false;
}) {
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const sent = onSend();
    if (sent === false) return;
    setSending(true);
    setError(null);
    await sent.catch((failure: Error) => {
      setError(failure);
      setSending(false);
    });
  };
  return (
    <form className={classes['steps']} onSubmit={submit} noValidate>
      {children(tried)}
      <Refusal error={error} />
      <div className={classes['buttons']}>
        <span />
        <Button type="submit" loading={sending}>
          {button}
        </Button>
      </div>
    </form>
  );
}

function Password({ calls, onRight }: { readonly calls: CodeCalls; onRight(app: App): void }) {
  const [password, setPassword] = useState('');
  const send = async () => onRight(await calls.setUp(password));
  return (
    <Step button="Go on" onSend={() => password !== '' && send()}>
      {(tried) => (
        <>
          <p>Your password first, so that nobody else can do this at your desk.</p>
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            data-autofocus
            value={password}
            error={tried && password === '' ? 'Fill this in.' : null}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </>
      )}
    </Step>
  );
}

function FirstCode({
  app,
  calls,
  onTurnedOn,
}: {
  readonly app: App;
  readonly calls: CodeCalls;
  onTurnedOn(recoveryCodes: readonly string[]): void;
}) {
  const [code, setCode] = useState('');
  const send = async () => onTurnedOn(await calls.confirm(code));
  return (
    <Step button="Turn codes on" onSend={() => code !== '' && send()}>
      {(tried) => (
        <>
          <p>Scan this with your authenticator app</p>
          <div className={classes['scan']}>
            <img
              className={classes['qr']}
              alt="QR code for the authenticator app"
              src={`data:image/svg+xml;base64,${btoa(app.qrSvg)}`}
            />
            <div className={classes['key']}>
              <p className="quiet">No camera? Type this key in:</p>
              <Copy value={app.secret} what="the key" mono>
                {app.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
              </Copy>
            </div>
          </div>
          <p>Then enter the code that the app shows</p>
          <CodeInput value={code} onChange={setCode} missing={tried && code === ''} />
        </>
      )}
    </Step>
  );
}

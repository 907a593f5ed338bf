import { Button, PasswordInput, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import {
  checkSignature,
  checkWebhook,
  type SignatureCheck,
  type SignatureFinding,
  type WebhookFinding,
} from '@munshi/web';
import { Card, Chip, Copy } from '@munshi/web-ui';
import { type ReactNode, useDeferredValue, useState } from 'react';
import classes from './developers.module.css';
import { FAULTS, SLIPS, WEBHOOK_FAULTS, WEBHOOK_SLIPS } from './faults.ts';

const KIND_NAMES = { request: 'Your request', webhook: 'A webhook' };

const KINDS = ['request', 'webhook'] as const;
type Kind = (typeof KINDS)[number];

/** Of docs/signing.md, with the mistake that is made most. */
const EXAMPLE = {
  body: '{"orderType":"Deposit","amount":1500.50,"walletType":"ProviderA","signature":"06c513fe0313fdddbb5b4b037c4c549b"}',
  secret: 'sksec_NotASecret0123456789NotASecret0123456789',
};

/** Says why a signature is refused. Nothing that is typed here leaves the browser. */
export function SignatureChecker() {
  const [kind, setKind] = useState<Kind>('request');
  const [body, setBody] = useState('');
  const [secret, setSecret] = useState('');
  const [key, setKey] = useState('');
  const [header, setHeader] = useState('');
  const typed = useDeferredValue({ kind, body, secret, key, header });
  const isRequest = kind === 'request';
  return (
    <div className={classes['checker']}>
      <Card>
        <p className={classes['hint']}>
          Paste what you send or what you got. Everything is computed in this browser: the secret is
          neither sent nor kept.
        </p>
        <div className={classes['fields']}>
          <SegmentedControl
            aria-label="What to check"
            value={kind}
            onChange={(next) => setKind(next as Kind)}
            data={KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))}
          />
          <Textarea
            label={isRequest ? 'Body, exactly as it is sent' : 'Body, exactly as it came'}
            description="The bytes matter: not what a framework made of them."
            autosize
            minRows={7}
            maxRows={18}
            spellCheck={false}
            classNames={{ input: classes['mono'] ?? '' }}
            value={body}
            onChange={({ currentTarget }) => setBody(currentTarget.value)}
          />
          {isRequest ? null : (
            <TextInput
              label="X-SVC-Signature"
              spellCheck={false}
              autoComplete="off"
              classNames={{ input: classes['mono'] ?? '' }}
              value={header}
              onChange={({ currentTarget }) => setHeader(currentTarget.value)}
            />
          )}
          <PasswordInput
            label="Signing secret"
            description="sksec_… of the API key. It stays in this browser."
            autoComplete="off"
            spellCheck={false}
            value={secret}
            onChange={({ currentTarget }) => setSecret(currentTarget.value)}
          />
          {isRequest ? (
            <TextInput
              label="Idempotency-Key"
              description="Optional: checked for its length."
              autoComplete="off"
              value={key}
              onChange={({ currentTarget }) => setKey(currentTarget.value)}
            />
          ) : null}
          {isRequest && body === '' ? (
            <div>
              <Button
                variant="default"
                size="xs"
                onClick={() => {
                  setBody(EXAMPLE.body);
                  setSecret(EXAMPLE.secret);
                }}
              >
                Fill in an example
              </Button>
            </div>
          ) : null}
        </div>
      </Card>
      <Card title="What the service says">
        {typed.kind === 'request' ? (
          <RequestResult body={typed.body} secret={typed.secret} idempotencyKey={typed.key} />
        ) : (
          <WebhookResult body={typed.body} secret={typed.secret} signature={typed.header} />
        )}
      </Card>
    </div>
  );
}

function RequestResult(request: Parameters<typeof checkSignature>[0]) {
  if (request.body.trim() === '')
    return <p className="quiet">Paste the body of an order creation to see what is signed.</p>;
  const check = checkSignature(request);
  return (
    <>
      <div role="status">
        <RequestVerdict finding={check.finding} />
      </div>
      <Signed check={check} />
    </>
  );
}

function RequestVerdict({ finding }: { readonly finding: SignatureFinding }) {
  if (finding.kind === 'no-secret')
    return (
      <Verdict tone="waiting" title="The body can be read">
        Enter the signing secret to compare the signature.
      </Verdict>
    );
  if (finding.kind === 'right')
    return (
      <Verdict tone="done" title="The signature is right">
        {finding.refusals.length === 0 ? (
          'The service accepts this body as yours.'
        ) : (
          <Reasons title="But it refuses the fields:" reasons={finding.refusals} />
        )}
      </Verdict>
    );
  const { code, fault, slips } = finding;
  return (
    <Verdict tone="failed" title={`Refused: ${code}`}>
      <p>{FAULTS[fault]}</p>
      {fault !== 'other-text' ? null : slips.length === 0 ? (
        <p>
          No common mistake explains it. Look for a field that was added or changed after signing,
          and for the secret of another key.
        </p>
      ) : (
        <Reasons title="What was signed instead:" reasons={slips.map((slip) => SLIPS[slip])} />
      )}
    </Verdict>
  );
}

/** What is signed, and what comes of it. */
function Signed({ check: { canonical, expected, finding } }: { readonly check: SignatureCheck }) {
  if (canonical === null) return null;
  return (
    <>
      <div className={classes['part-head']}>
        <h3>Canonical string</h3>
        <Copy value={canonical} what="the canonical string">
          {''}
        </Copy>
      </div>
      <p className={classes['hint']}>
        What is signed, with the secret right behind it, without a separator.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard */}
      <section className={classes['code']} tabIndex={0} aria-label="Canonical string">
        {canonical === '' ? <span className="quiet">(empty: no field is signed)</span> : canonical}
        <span className={classes['secret-mark']}>secret</span>
      </section>
      {expected === null || finding.kind === 'right' ? null : (
        <>
          <h3 className={classes['part']}>The right signature</h3>
          <Copy value={expected} what="the signature" mono />
        </>
      )}
    </>
  );
}

function WebhookResult(given: Parameters<typeof checkWebhook>[0]) {
  if (given.body === '' || given.signature.trim() === '' || given.secret === '')
    return <p className="quiet">Paste body, header and secret of a webhook.</p>;
  return (
    <div role="status">
      <WebhookVerdict finding={checkWebhook(given)} />
    </div>
  );
}

/** Whether a webhook was signed with the secret that was typed, and why not. */
export function WebhookVerdict({ finding }: { readonly finding: WebhookFinding }) {
  if (finding.kind === 'right')
    return (
      <Verdict tone="done" title="This webhook is genuine">
        It was signed with this secret, over exactly these bytes.
      </Verdict>
    );
  const { fault, slip } = finding;
  return (
    <Verdict tone="failed" title="The signature does not fit">
      <p>{WEBHOOK_FAULTS[fault]}</p>
      {fault !== 'other-bytes' ? null : (
        <p>
          {slip === null
            ? 'No common mistake explains it. Look for the secret of another key (X-SVC-Key-Prefix says which one signed), and for a body that was changed on its way.'
            : WEBHOOK_SLIPS[slip]}
        </p>
      )}
    </Verdict>
  );
}

function Verdict({
  tone,
  title,
  children,
}: {
  readonly tone: 'done' | 'failed' | 'waiting';
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes['verdict']} data-tone={tone}>
      <Chip tone={tone} label={title} />
      <div>{children}</div>
    </div>
  );
}

function Reasons({
  title,
  reasons,
}: {
  readonly title: string;
  readonly reasons: readonly string[];
}) {
  return (
    <>
      <p>{title}</p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </>
  );
}

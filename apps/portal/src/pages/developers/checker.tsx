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
import { texts } from './checker-texts.ts';
import classes from './developers.module.css';

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
        <p className={classes['hint']}>{texts.lead}</p>
        <div className={classes['fields']}>
          <SegmentedControl
            aria-label={texts.what}
            value={kind}
            onChange={(next) => setKind(next as Kind)}
            data={KINDS.map((value) => ({ value, label: texts.kinds[value] }))}
          />
          <Textarea
            label={isRequest ? texts.body : texts.bodyOfWebhook}
            description={texts.bodyHint}
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
              label={texts.header}
              spellCheck={false}
              autoComplete="off"
              classNames={{ input: classes['mono'] ?? '' }}
              value={header}
              onChange={({ currentTarget }) => setHeader(currentTarget.value)}
            />
          )}
          <PasswordInput
            label={texts.secret}
            description={texts.secretHint}
            autoComplete="off"
            spellCheck={false}
            value={secret}
            onChange={({ currentTarget }) => setSecret(currentTarget.value)}
          />
          {isRequest ? (
            <TextInput
              label={texts.key}
              description={texts.keyHint}
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
                {texts.example}
              </Button>
            </div>
          ) : null}
        </div>
      </Card>
      <Card title={texts.result}>
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
  if (request.body.trim() === '') return <p className="quiet">{texts.emptyRequest}</p>;
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
      <Verdict tone="waiting" title={texts.readable}>
        {texts.noSecret}
      </Verdict>
    );
  if (finding.kind === 'right')
    return (
      <Verdict tone="done" title={texts.right}>
        {finding.refusals.length === 0 ? (
          texts.rightHint
        ) : (
          <Reasons title={texts.alsoRefused} reasons={finding.refusals} />
        )}
      </Verdict>
    );
  const { code, fault, slips } = finding;
  return (
    <Verdict tone="failed" title={texts.wrong(code)}>
      <p>{texts.faults[fault]}</p>
      {fault !== 'other-text' ? null : slips.length === 0 ? (
        <p>{texts.unexplained}</p>
      ) : (
        <Reasons title={texts.explained} reasons={slips.map((slip) => texts.slips[slip])} />
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
        <h3>{texts.canonical}</h3>
        <Copy value={canonical} what={texts.theCanonical}>
          {''}
        </Copy>
      </div>
      <p className={classes['hint']}>{texts.canonicalHint}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard */}
      <section className={classes['code']} tabIndex={0} aria-label={texts.canonical}>
        {canonical === '' ? <span className="quiet">{texts.nothing}</span> : canonical}
        <span className={classes['secret-mark']}>{texts.withSecret}</span>
      </section>
      {expected === null || finding.kind === 'right' ? null : (
        <>
          <h3 className={classes['part']}>{texts.expected}</h3>
          <Copy value={expected} what={texts.theSignature} mono />
        </>
      )}
    </>
  );
}

function WebhookResult(given: Parameters<typeof checkWebhook>[0]) {
  if (given.body === '' || given.signature.trim() === '' || given.secret === '')
    return <p className="quiet">{texts.emptyWebhook}</p>;
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
      <Verdict tone="done" title={texts.rightWebhook}>
        {texts.rightWebhookHint}
      </Verdict>
    );
  const { fault, slip } = finding;
  return (
    <Verdict tone="failed" title={texts.wrongWebhook}>
      <p>{texts.webhookFaults[fault]}</p>
      {fault !== 'other-bytes' ? null : (
        <p>{slip === null ? texts.unexplainedWebhook : texts.webhookSlips[slip]}</p>
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

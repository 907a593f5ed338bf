import { PasswordInput, SegmentedControl } from '@mantine/core';
import { PORTAL_LIST_DELIVERIES, PORTAL_READ_DELIVERY } from '@munshi/api';
import { checkWebhook, shownTime } from '@munshi/web';
import { Card, Copy, Loaded, useNow, useRead, useTimeZone } from '@munshi/web-ui';
import { useState } from 'react';
import webhooksPage from '../../../../../docs/webhooks.md?raw';
import { CodeExample, exampleIn } from '../../code-example.tsx';
import { WebhookVerdict } from '../developers/checker.tsx';
import classes from './webhooks.module.css';

const LANGUAGE_NAMES = { ts: 'TypeScript', python: 'Python', php: 'PHP', sh: 'Shell' };

const HINTS = {
  ts: "In Express, get the raw body with express.raw({ type: 'application/json' }) on this route.",
  python: 'The raw body is request.get_data() in Flask and request.body in Django.',
  php: "The raw body is file_get_contents('php://input'), the header $_SERVER['HTTP_X_SVC_SIGNATURE'].",
  sh: 'For debugging only: other users of the machine can see the secret.',
};

const LANGUAGES = ['ts', 'python', 'php', 'sh'] as const;
type Language = (typeof LANGUAGES)[number];

/** How to verify a webhook, in four languages, and the newest one to try it with. */
export function Verify() {
  const [language, setLanguage] = useState<Language>('ts');
  return (
    <div className={classes['columns']}>
      <Card>
        <p className={classes['lead']}>
          Verify X-SVC-Signature before you act on a webhook: it is “sha256=” and the HMAC-SHA256 of
          the raw body with your signing secret, in hex. Compare in constant time, and parse the
          body only afterwards.
        </p>
        <SegmentedControl
          aria-label="Language of the example"
          size="xs"
          value={language}
          onChange={(next) => setLanguage(next as Language)}
          data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        />
        <div className={classes['code']}>
          <CodeExample
            label={`How to verify in ${LANGUAGE_NAMES[language]}`}
            code={exampleIn(webhooksPage, language)}
          />
        </div>
        <p className="quiet">{HINTS[language]}</p>
      </Card>
      <Card title="Try it with a real delivery">
        <Newest />
      </Card>
    </div>
  );
}

function Newest() {
  const list = useRead(PORTAL_LIST_DELIVERIES, { query: { limit: 20 } }, { watch: ['delivery'] });
  return (
    <Loaded read={list}>
      {({ data }) => {
        const newest = data.find(({ attemptsMade }) => attemptsMade > 0);
        return newest === undefined ? (
          <p className="quiet">
            Once a webhook has been sent, you can test your code here with its header and body.
          </p>
        ) : (
          <Tried deliveryId={newest.deliveryId} />
        );
      }}
    </Loaded>
  );
}

function Tried({ deliveryId }: { readonly deliveryId: string }) {
  const read = useRead(PORTAL_READ_DELIVERY, { params: { deliveryId } });
  const now = useNow();
  const timeZone = useTimeZone();
  const [secret, setSecret] = useState('');
  return (
    <Loaded read={read}>
      {({ data: { body, attempts } }) => {
        const sent = attempts.findLast(({ headers }) => headers !== null);
        const signature =
          sent?.headers?.find(({ name }) => name === 'x-svc-signature')?.value ?? '';
        if (sent === undefined || body === null)
          return (
            <p className="quiet">
              Once a webhook has been sent, you can test your code here with its header and body.
            </p>
          );
        return (
          <div className={classes['tried']}>
            <p className="quiet">
              The newest delivery, sent {shownTime(Date.parse(sent.startedAt), now, timeZone).text}.
              Nothing that you type leaves this browser.
            </p>
            <div>
              <h3>X-SVC-Signature</h3>
              <Copy value={signature} what="the header" mono />
            </div>
            <div>
              <h3>Body as it was sent</h3>
              <CodeExample label="Body as it was sent" code={body} wraps />
            </div>
            <PasswordInput
              label="Signing secret"
              description="The secret of the key in X-SVC-Key-Prefix. It stays in this browser."
              autoComplete="off"
              spellCheck={false}
              value={secret}
              onChange={({ currentTarget }) => setSecret(currentTarget.value)}
            />
            <div role="status">
              {secret === '' ? null : (
                <WebhookVerdict finding={checkWebhook({ body, signature, secret })} />
              )}
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

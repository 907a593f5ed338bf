import { PasswordInput, SegmentedControl } from '@mantine/core';
import { PORTAL_LIST_DELIVERIES, PORTAL_READ_DELIVERY } from '@munshi/api';
import { checkWebhook, shownTime } from '@munshi/web';
import { Card, Copy, Loaded, useNow, useRead, useTimeZone } from '@munshi/web-ui';
import { useState } from 'react';
import webhooksPage from '../../../../../docs/webhooks.md?raw';
import { CodeExample, exampleIn } from '../../code-example.tsx';
import { WebhookVerdict } from '../developers/checker.tsx';
import { texts } from './texts.ts';
import classes from './webhooks.module.css';

const LANGUAGES = ['ts', 'python', 'php', 'sh'] as const;
type Language = (typeof LANGUAGES)[number];

/** How to verify a webhook, in four languages, and the newest one to try it with. */
export function Verify() {
  const [language, setLanguage] = useState<Language>('ts');
  return (
    <div className={classes['columns']}>
      <Card>
        <p className={classes['lead']}>{texts.verifyLead}</p>
        <SegmentedControl
          aria-label={texts.language}
          size="xs"
          value={language}
          onChange={(next) => setLanguage(next as Language)}
          data={LANGUAGES.map((value) => ({ value, label: texts.languages[value] }))}
        />
        <div className={classes['code']}>
          <CodeExample
            label={texts.code(texts.languages[language])}
            code={exampleIn(webhooksPage, language)}
          />
        </div>
        <p className="quiet">{texts.hints[language]}</p>
      </Card>
      <Card title={texts.tryTitle}>
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
          <p className="quiet">{texts.noneSent}</p>
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
        if (sent === undefined || body === null) return <p className="quiet">{texts.noneSent}</p>;
        return (
          <div className={classes['tried']}>
            <p className="quiet">
              {texts.tryLead(shownTime(Date.parse(sent.startedAt), now, timeZone).text)}
            </p>
            <div>
              <h3>{texts.header}</h3>
              <Copy value={signature} what={texts.theHeader} mono />
            </div>
            <div>
              <h3>{texts.body}</h3>
              <CodeExample label={texts.body} code={body} wraps />
            </div>
            <PasswordInput
              label={texts.secret}
              description={texts.secretHint}
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

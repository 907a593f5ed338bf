import { Button } from '@mantine/core';
import { END_MEMBER_SESSIONS } from '@munshi/api';
import { Card, EffectDialog, Facts, useWrite, When } from '@munshi/web-ui';
import { useState } from 'react';
import type { TabProps } from './page.tsx';
import { texts } from './texts.ts';

/** Where they are signed in, and the end of it. */
export function SessionsTab({ member, standing }: TabProps) {
  const { send } = useWrite(END_MEMBER_SESSIONS);
  const [ending, setEnding] = useState(false);
  const { memberId, name, allowedActions } = member;
  const { sessions } = standing;
  const mayEnd = allowedActions.includes('sessions') && sessions.length > 0;
  return (
    <Card
      title={texts.tabs.sessions}
      actions={
        mayEnd ? (
          <Button variant="default" size="xs" onClick={() => setEnding(true)}>
            {texts.endSessions}
          </Button>
        ) : null
      }
    >
      {sessions.length === 0 ? <p className="quiet">{texts.noSessions}</p> : null}
      {sessions.map(({ createdAt, lastUsedAt, expiresAt }) => (
        <Facts
          key={createdAt}
          facts={[
            [texts.signedInAt, <When key="in" at={createdAt} />],
            [
              texts.lastUsed,
              lastUsedAt === null ? texts.none : <When key="used" at={lastUsedAt} />,
            ],
            [texts.until, <When key="until" at={expiresAt} />],
          ]}
        />
      ))}
      {ending ? (
        <EffectDialog
          title={texts.endSessionsTitle(name)}
          danger
          onClose={() => setEnding(false)}
          onSend={() => send({ params: { memberId } })}
        >
          <p>{texts.endSessionsEffect}</p>
        </EffectDialog>
      ) : null}
    </Card>
  );
}

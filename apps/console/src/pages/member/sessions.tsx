import { Button } from '@mantine/core';
import { END_MEMBER_SESSION, END_MEMBER_SESSIONS } from '@munshi/api';
import { browserOf, Card, EffectDialog, Facts, useWrite, When } from '@munshi/web-ui';
import { useState } from 'react';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

type SignIn = TabProps['standing']['sessions'][0];

const nameOf = ({ userAgent }: SignIn) => browserOf(userAgent) ?? texts.unknownBrowser;

/** Where they are signed in, and the end of it: of one phone, or of all. */
export function SessionsTab({ member, standing }: TabProps) {
  const [ending, setEnding] = useState<SignIn | 'all' | null>(null);
  const { sessions } = standing;
  const mayEnd = member.allowedActions.includes('sessions');
  const close = () => setEnding(null);
  return (
    <Card
      title={texts.tabs.sessions}
      actions={
        mayEnd && sessions.length > 0 ? (
          <Button variant="default" size="xs" onClick={() => setEnding('all')}>
            {texts.endSessions}
          </Button>
        ) : null
      }
    >
      {sessions.length === 0 ? <p className="quiet">{texts.noSessions}</p> : null}
      <ul className={classes['sessions']}>
        {sessions.map((session) => (
          <li key={session.sessionId}>
            <div className={classes['session']}>
              <strong>{nameOf(session)}</strong>
              {mayEnd ? (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={texts.endSessionOf(nameOf(session))}
                  onClick={() => setEnding(session)}
                >
                  {texts.endSession}
                </Button>
              ) : null}
            </div>
            <Facts
              facts={[
                [texts.signedInAt, <When key="in" at={session.createdAt} />],
                [
                  texts.lastUsed,
                  session.lastUsedAt === null ? (
                    texts.none
                  ) : (
                    <When key="used" at={session.lastUsedAt} />
                  ),
                ],
                [texts.until, <When key="until" at={session.expiresAt} />],
              ]}
            />
          </li>
        ))}
      </ul>
      {ending === 'all' ? <EndAll member={member} onClose={close} /> : null}
      {ending === null || ending === 'all' ? null : (
        <EndOne member={member} session={ending} onClose={close} />
      )}
    </Card>
  );
}

type DialogProps = Pick<TabProps, 'member'> & { onClose(): void };

function EndAll({ member: { memberId, name }, onClose }: DialogProps) {
  const { send } = useWrite(END_MEMBER_SESSIONS);
  return (
    <EffectDialog
      title={texts.endSessionsTitle(name)}
      danger
      onClose={onClose}
      onSend={() => send({ params: { memberId } })}
    >
      <p>{texts.endSessionsEffect}</p>
    </EffectDialog>
  );
}

function EndOne({
  member: { memberId, name },
  session,
  onClose,
}: DialogProps & { readonly session: SignIn }) {
  const { send } = useWrite(END_MEMBER_SESSION);
  const { sessionId, createdAt } = session;
  return (
    <EffectDialog
      title={texts.endSessionTitle(name, nameOf(session))}
      button={texts.endSessionButton}
      danger
      onClose={onClose}
      onSend={() => send({ params: { memberId, sessionId } })}
    >
      <p>
        {texts.signedInAt} <When at={createdAt} />. {texts.endSessionEffect}
      </p>
    </EffectDialog>
  );
}

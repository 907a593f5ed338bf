import { Button } from '@mantine/core';
import { END_MEMBER_SESSION, END_MEMBER_SESSIONS } from '@munshi/api';
import { browserOf, Card, EffectDialog, Facts, useWrite, When } from '@munshi/web-ui';
import { useState } from 'react';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';

type SignIn = TabProps['standing']['sessions'][0];

const nameOf = ({ userAgent }: SignIn) => browserOf(userAgent) ?? 'Unknown browser';

/** Where they are signed in, and the end of it: of one phone, or of all. */
export function SessionsTab({ member, standing }: TabProps) {
  const [ending, setEnding] = useState<SignIn | 'all' | null>(null);
  const { sessions } = standing;
  const mayEnd = member.allowedActions.includes('sessions');
  const close = () => setEnding(null);
  return (
    <Card
      title="Sessions"
      actions={
        mayEnd && sessions.length > 0 ? (
          <Button variant="default" size="xs" onClick={() => setEnding('all')}>
            End all sign-ins
          </Button>
        ) : null
      }
    >
      {sessions.length === 0 ? <p className="quiet">They are signed in nowhere.</p> : null}
      <ul className={classes['sessions']}>
        {sessions.map((session) => (
          <li key={session.sessionId}>
            <div className={classes['session']}>
              <strong>{nameOf(session)}</strong>
              {mayEnd ? (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`End the sign-in on ${nameOf(session)}`}
                  onClick={() => setEnding(session)}
                >
                  End
                </Button>
              ) : null}
            </div>
            <Facts
              facts={[
                ['Signed in', <When key="in" at={session.createdAt} />],
                [
                  'Last used',
                  session.lastUsedAt === null ? (
                    'none'
                  ) : (
                    <When key="used" at={session.lastUsedAt} />
                  ),
                ],
                ['Until', <When key="until" at={session.expiresAt} />],
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
      title={`Sign ${name} out everywhere`}
      danger
      onClose={onClose}
      onSend={() => send({ params: { memberId } })}
    >
      <p>They have to sign in again. Orders in hand stay with them.</p>
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
      title={`Sign ${name} out of ${nameOf(session)}`}
      button="End this sign-in"
      danger
      onClose={onClose}
      onSend={() => send({ params: { memberId, sessionId } })}
    >
      <p>
        Signed in <When at={createdAt} />. They have to sign in there again, and it gets no more
        push messages. Orders in hand stay with them.
      </p>
    </EffectDialog>
  );
}

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { MAKE_MEMBER_RECOVERY } from '@munshi/api';
import { EffectDialog, SecretsDialog } from '@munshi/web-ui';
import { type ReactNode, useState } from 'react';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';

/** Makes a member's link; null, where none can be shown, which is said. */
export function useRecoveryLink() {
  const [ifItWaits, send] = useMayWait(MAKE_MEMBER_RECOVERY);
  const make = async (memberId: string): Promise<string | null> => {
    const answer = await send({ params: { memberId } });
    if ('principalId' in answer.data && answer.data.link !== undefined) return answer.data.link;
    if (sayIfItWaits(answer, 'Then you fetch the link there.') === 'done')
      notifications.show({
        message: 'The link was created but could not be shown. Make another one.',
      });
    return null;
  };
  return [ifItWaits, make] as const;
}

/** Makes the link by which a member chooses a new password, and shows it once. */
export function RecoveryLink({ member }: Pick<TabProps, 'member'>) {
  const [ifItWaits, make] = useRecoveryLink();
  const [asking, setAsking] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const { memberId, name, allowedActions } = member;
  return (
    <>
      {allowedActions.includes('recovery-link') ? (
        <Button variant="default" onClick={() => setAsking(true)}>
          Recovery link
        </Button>
      ) : null}
      {asking ? (
        <EffectDialog
          title={`Make a recovery link for ${name}`}
          button="Make the link"
          onClose={() => setAsking(false)}
          onSend={async () => setLink(await make(memberId))}
        >
          <p>
            For a forgotten password. They are signed out now, and earlier links stop working.
            Orders in hand stay with them.
          </p>
          <p>Orders that they took before they use it go to review when they confirm them.</p>
          {ifItWaits({ params: { memberId } })}
        </EffectDialog>
      ) : null}
      {link === null ? null : <LinkDialog name={name} link={link} onKept={() => setLink(null)} />}
    </>
  );
}

/** A link that was made, to send to its member. */
export function LinkDialog({
  name,
  link,
  children,
  onKept,
}: {
  readonly name: string;
  readonly link: string;
  /** What comes after that. */
  readonly children?: ReactNode;
  onKept(): void;
}) {
  return (
    <SecretsDialog title={`Send this link to ${name}`} secrets={{ link }} onKept={onKept}>
      <p className={classes['lead']}>
        It works once, within 24 hours. Whoever has it can sign in as them: send it only to them.
      </p>
      {children === undefined ? null : <p className={classes['lead']}>{children}</p>}
    </SecretsDialog>
  );
}

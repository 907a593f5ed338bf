import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { MAKE_MEMBER_RECOVERY } from '@munshi/api';
import { EffectDialog, SecretsDialog, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { sayIfItWaits } from '../../say-if-it-waits.ts';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

const { link: words } = texts;

/** Makes a member's link; null, where none can be shown, which is said. */
export function useRecoveryLink(): (memberId: string) => Promise<string | null> {
  const { send } = useWrite(MAKE_MEMBER_RECOVERY);
  return async (memberId) => {
    const answer = await send({ params: { memberId } });
    if ('principalId' in answer.data && answer.data.link !== undefined) return answer.data.link;
    if (sayIfItWaits(answer, words.waits) === 'done') notifications.show({ message: words.lost });
    return null;
  };
}

/** Makes the link by which a member chooses a new password, and shows it once. */
export function RecoveryLink({ member }: Pick<TabProps, 'member'>) {
  const make = useRecoveryLink();
  const [asking, setAsking] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const { memberId, name, allowedActions } = member;
  return (
    <>
      {allowedActions.includes('recovery-link') ? (
        <Button variant="default" onClick={() => setAsking(true)}>
          {words.open}
        </Button>
      ) : null}
      {asking ? (
        <EffectDialog
          title={words.title(name)}
          button={words.button}
          onClose={() => setAsking(false)}
          onSend={async () => setLink(await make(memberId))}
        >
          <p>{words.lead}</p>
          <p>{words.whenUsed}</p>
          <p className="quiet">{words.secondOperator}</p>
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
  onKept,
}: {
  readonly name: string;
  readonly link: string;
  onKept(): void;
}) {
  return (
    <SecretsDialog title={words.send(name)} secrets={{ link }} onKept={onKept}>
      <p className={classes['lead']}>{words.sendLead}</p>
    </SecretsDialog>
  );
}

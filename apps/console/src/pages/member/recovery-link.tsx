import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { MAKE_MEMBER_RECOVERY, READ_SETTINGS } from '@munshi/api';
import { EffectDialog, SecretsDialog, useRead, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

const { link: words } = texts;

/** Makes a member's link; null, where none can be shown, which is said. */
export function useRecoveryLink(): (memberId: string) => Promise<string | null> {
  const { send } = useWrite(MAKE_MEMBER_RECOVERY);
  return async (memberId) => {
    const { data } = await send({ params: { memberId } });
    if ('principalId' in data && data.link !== undefined) return data.link;
    notifications.show({ message: 'principalId' in data ? words.lost : words.waits });
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
          <WhenUsed />
          <p className="quiet">{words.secondOperator}</p>
        </EffectDialog>
      ) : null}
      {link === null ? null : <LinkDialog name={name} link={link} onKept={() => setLink(null)} />}
    </>
  );
}

/** What a use of the link does besides, while a second operator is required. */
function WhenUsed() {
  const settings = useRead(READ_SETTINGS, {}, { watch: ['setting'] });
  return settings.data?.data.requireSecondOperator ? <p>{words.whenUsed}</p> : null;
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

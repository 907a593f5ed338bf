import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { MAKE_MEMBER_RECOVERY, READ_SETTINGS } from '@munshi/api';
import { EffectDialog, SecretsDialog, useRead, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';

/** Makes a member's link; null, where none can be shown, which is said. */
export function useRecoveryLink(): (memberId: string) => Promise<string | null> {
  const { send } = useWrite(MAKE_MEMBER_RECOVERY);
  return async (memberId) => {
    const { data } = await send({ params: { memberId } });
    if ('principalId' in data && data.link !== undefined) return data.link;
    notifications.show({
      message:
        'principalId' in data
          ? 'The link was created but could not be shown. Make another one.'
          : 'Another operator has to approve the link: see Approvals.',
    });
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
          <WhenUsed />
          <p className="quiet">
            While a second operator is required, another admin has to approve this.
          </p>
        </EffectDialog>
      ) : null}
      {link === null ? null : <LinkDialog name={name} link={link} onKept={() => setLink(null)} />}
    </>
  );
}

/** What a use of the link does besides, while a second operator is required. */
function WhenUsed() {
  const settings = useRead(READ_SETTINGS, {}, { watch: ['setting'] });
  return settings.data?.data.requireSecondOperator ? (
    <p>
      When it is used, the member goes offline and their accounts wait for approval by another
      operator.
    </p>
  ) : null;
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
    <SecretsDialog title={`Send this link to ${name}`} secrets={{ link }} onKept={onKept}>
      <p className={classes['lead']}>
        It works once, within 24 hours. Whoever has it can sign in as them: send it only to them.
      </p>
    </SecretsDialog>
  );
}

import { Switch } from '@mantine/core';
import {
  ALLOW_OWN_KEYS,
  type AnswerOf,
  CHANGE_PORTAL_USER,
  END_PORTAL_INVITATION,
  END_PORTAL_SESSIONS,
  INVITE_PORTAL_USER,
  LIST_PORTAL_USERS,
  MAKE_PORTAL_LINK,
} from '@munshi/api';
import type { AsText } from '@munshi/web';
import { Card, EffectDialog, People, useList, useWrite } from '@munshi/web-ui';
import { type ReactNode, useState } from 'react';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { sayIfItWaits, whatWaits } from '../../say-if-it-waits.tsx';
import classes from './merchant.module.css';
import type { TabProps } from './shown.ts';

/** The merchant's own people, and whether they issue its keys. */
export function PortalPeople({ merchant }: TabProps) {
  const params = { merchantId: merchant.merchantId };
  const list = useList(LIST_PORTAL_USERS, { params }, { watch: ['setting'] });
  const [ifInvited, invite] = useMayWait(INVITE_PORTAL_USER);
  const [ifChanged, change] = useMayWait(CHANGE_PORTAL_USER);
  const [ifLinked, makeLink] = useMayWait(MAKE_PORTAL_LINK);
  const endInvitation = useWrite(END_PORTAL_INVITATION);
  const endSessions = useWrite(END_PORTAL_SESSIONS);
  return (
    <>
      <People
        list={list}
        ifItWaits={(asked) =>
          'invite' in asked
            ? ifInvited({ params, body: asked.invite })
            : 'change' in asked
              ? ifChanged({ params: { portalUserId: asked.portalUserId }, body: asked.change })
              : ifLinked({ params: { portalUserId: asked.portalUserId } })
        }
        mayInvite={merchant.allowedActions.includes('change')}
        calls={{
          invite: async (body) => linkOf(await invite({ params, body })),
          change: async (portalUserId, body) =>
            sayIfItWaits(await change({ params: { portalUserId }, body })),
          makeLink: async (portalUserId) => linkOf(await makeLink({ params: { portalUserId } })),
          endInvitation: (portalUserId) => endInvitation.send({ params: { portalUserId } }),
          endSessions: (portalUserId) => endSessions.send({ params: { portalUserId } }),
        }}
      />
      <OwnKeys merchant={merchant} />
    </>
  );
}

/** The person with their link; null where it waits, which is said. */
function linkOf(answer: AsText<AnswerOf<typeof INVITE_PORTAL_USER | typeof MAKE_PORTAL_LINK>>) {
  sayIfItWaits(answer, 'Then you fetch the link there.');
  return 'portalUserId' in answer.data ? answer.data : null;
}

/** Whether the merchant issues its own keys; allowing it may wait for another operator. */
function OwnKeys({ merchant }: TabProps) {
  const { merchantId, name, ownKeysAllowed } = merchant;
  const [ifItWaits, allow] = useMayWait(ALLOW_OWN_KEYS);
  const [asking, setAsking] = useState(false);
  const [waits, setWaits] = useState<ReactNode>();
  const allowed = !ownKeysAllowed;
  const request = { params: { merchantId }, body: { allowed } };
  return (
    <Card title="Keys by the merchant">
      <p className={classes['hint']}>
        Off: only operators issue its keys. On: its admins can also issue and revoke them in the
        portal, with a one-time code.
      </p>
      <Switch
        label="The merchant may issue its own keys"
        checked={ownKeysAllowed}
        disabled={!merchant.allowedActions.includes('change')}
        onChange={() => setAsking(true)}
      />
      <p role="status" className={classes['hint']}>
        {waits ?? ''}
      </p>
      {asking ? (
        <EffectDialog
          title={allowed ? `Let ${name} issue its own keys` : `Stop ${name} issuing its own keys`}
          onClose={() => setAsking(false)}
          onSend={async () => {
            const { data } = await allow(request);
            setWaits(whatWaits(data));
          }}
        >
          <p>
            {allowed
              ? 'Its admins can add, regenerate and revoke keys in the portal, with a one-time code.'
              : 'Existing keys keep working. It takes effect at once.'}
          </p>
          {ifItWaits(request)}
        </EffectDialog>
      ) : null}
    </Card>
  );
}

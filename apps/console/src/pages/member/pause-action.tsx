import { Button } from '@mantine/core';
import { CHANGE_MEMBER } from '@munshi/api';
import { EffectDialog } from '@munshi/web-ui';
import { useState } from 'react';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import { NEW_MEMBER_CAPACITY } from './member-fields.ts';
import type { TabProps } from './shown.ts';

/** Stops new orders alone, or lets them come again: a member with room for none gets none. */
export function PauseAction({ member }: Pick<TabProps, 'member'>) {
  const [ifItWaits, send] = useMayWait(CHANGE_MEMBER);
  const [opened, setOpened] = useState(false);
  const { memberId, name, openOrders, maxOpenOrders, capacityBefore, allowedActions } = member;
  if (!allowedActions.includes('change')) return null;
  const pauses = maxOpenOrders > 0;
  const capacity = pauses ? 0 : (capacityBefore ?? NEW_MEMBER_CAPACITY);
  const request = { params: { memberId }, body: { maxOpenOrders: capacity } };
  const what = pauses ? 'Pause new orders' : 'Resume new orders';
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {what}
      </Button>
      {opened ? (
        <EffectDialog
          title={`${what} for ${name}`}
          button={what}
          onClose={() => setOpened(false)}
          onSend={async () => sayIfItWaits(await send(request))}
        >
          {pauses ? (
            <p>
              No new order comes to them until you resume them; their app says so. They stay signed
              in,{' '}
              {openOrders === 0
                ? 'and nothing is in hand.'
                : openOrders === 1
                  ? 'and the order in hand stays with them.'
                  : `and the ${openOrders} orders in hand stay with them.`}
            </p>
          ) : (
            <p>Orders come to them again while they are online, {capacity} in hand at most.</p>
          )}
          {ifItWaits(request)}
        </EffectDialog>
      ) : null}
    </>
  );
}

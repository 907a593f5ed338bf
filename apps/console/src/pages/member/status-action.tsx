import { Button } from '@mantine/core';
import { CHANGE_MEMBER } from '@munshi/api';
import { EffectDialog, Money, Reference } from '@munshi/web-ui';
import { useState } from 'react';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';

const FATES = {
  stays: 'stays with them',
  cancelled: 'cancelled: its customer has seen the account and not paid',
  'matched-again': 'goes to another member, or waits for one',
};

/** Suspends, after it has shown what becomes of each order in hand, or activates. */
export function StatusAction({ member, standing }: TabProps) {
  const [ifItWaits, send] = useMayWait(CHANGE_MEMBER);
  const [opened, setOpened] = useState(false);
  const { memberId, name, allowedActions } = member;
  const suspends = allowedActions.includes('suspend');
  const request = {
    params: { memberId },
    body: { status: suspends ? 'suspended' : 'active' },
  } as const;
  if (!suspends && !allowedActions.includes('activate')) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {suspends ? 'Suspend' : 'Activate'}
      </Button>
      {opened ? (
        <EffectDialog
          title={suspends ? `Suspend ${name}` : `Activate ${name}`}
          danger={suspends}
          onClose={() => setOpened(false)}
          onSend={async () => sayIfItWaits(await send(request))}
        >
          {suspends ? (
            <>
              <p>They are signed out everywhere and get no orders.</p>
              <Fates standing={standing} />
            </>
          ) : (
            <p>They can sign in and get orders when they are online.</p>
          )}
          {ifItWaits(request)}
        </EffectDialog>
      ) : null}
    </>
  );
}

function Fates({ standing: { ordersInHand } }: Pick<TabProps, 'standing'>) {
  if (ordersInHand.length === 0) return <p className="quiet">Nothing is in hand.</p>;
  return (
    <section aria-label="Orders in hand">
      <h3>Orders in hand</h3>
      <ul className={classes['fates']}>
        {ordersInHand.map(({ orderId, orderReference, amount, currency, ifSuspended }) => (
          <li key={orderId}>
            <strong>
              <Money amount={amount} currency={currency} />
            </strong>{' '}
            <span className="quiet">
              <Reference reference={orderReference} />
            </span>
            <div>{FATES[ifSuspended]}</div>
          </li>
        ))}
      </ul>
      {ordersInHand.some(isPayoutThatStays) ? (
        <p>
          A payout that stays goes to another member at its deadline: escalate it first if it may be
          paid.
        </p>
      ) : null}
    </section>
  );
}

const isPayoutThatStays = (order: TabProps['standing']['ordersInHand'][number]) =>
  order.orderType === 'Withdrawal' && order.ifSuspended === 'stays';

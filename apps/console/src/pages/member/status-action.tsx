import { Button } from '@mantine/core';
import { CHANGE_MEMBER } from '@munshi/api';
import { amountText } from '@munshi/web';
import { EffectDialog, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

/** Suspends, after it has shown what becomes of each order in hand, or activates. */
export function StatusAction({ member, standing }: TabProps) {
  const { send } = useWrite(CHANGE_MEMBER);
  const [opened, setOpened] = useState(false);
  const { memberId, name, allowedActions } = member;
  const suspends = allowedActions.includes('suspend');
  if (!suspends && !allowedActions.includes('activate')) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {suspends ? texts.suspend : texts.activate}
      </Button>
      {opened ? (
        <EffectDialog
          title={suspends ? texts.suspendTitle(name) : texts.activateTitle(name)}
          danger={suspends}
          onClose={() => setOpened(false)}
          onSend={() =>
            send({
              params: { memberId },
              body: { status: suspends ? 'suspended' : 'active' },
            })
          }
        >
          {suspends ? (
            <>
              <p>{texts.signInsEnd}</p>
              <Fates standing={standing} />
            </>
          ) : (
            <p>{texts.activated}</p>
          )}
        </EffectDialog>
      ) : null}
    </>
  );
}

function Fates({ standing: { ordersInHand } }: Pick<TabProps, 'standing'>) {
  if (ordersInHand.length === 0) return <p className="quiet">{texts.noneInHand}</p>;
  return (
    <section aria-label={texts.becomesOf}>
      <h3>{texts.becomesOf}</h3>
      <ul className={classes['fates']}>
        {ordersInHand.map(({ orderId, orderReference, amount, currency, ifSuspended }) => (
          <li key={orderId}>
            <strong>{amountText(amount, currency)}</strong>{' '}
            <span className="quiet">{orderReference}</span>
            <div>{texts.fates[ifSuspended]}</div>
          </li>
        ))}
      </ul>
    </section>
  );
}

import { Button } from '@mantine/core';
import { ActionButton, Refusal } from '@munshi/web-ui';
import { useState } from 'react';
import { may, type Operator } from '../../session.tsx';
import { OrderPanel } from '../order/order-panel.tsx';
import classes from './queues.module.css';
import type { Claims } from './use-claims.ts';
import { WhyNoMember } from './why-no-member.tsx';

interface OrderSideProps {
  readonly orderId: string;
  readonly claimedBy: { readonly operatorId: string; readonly name: string } | null;
  readonly operator: Operator;
  readonly claims: Claims;
  /** It is in the queue: it can be taken. */
  readonly isQueued: boolean;
  /** It waits for a member. */
  readonly hasNoMember: boolean;
  onBack(): void;
  /** Something was decided about it, or asked for. */
  onDecided(): void;
}

/** The order that is open beside its queue, and who works on it. */
export function OrderSide(props: OrderSideProps) {
  const { orderId, claimedBy, operator, claims, isQueued, hasNoMember, onBack, onDecided } = props;
  const [error, setError] = useState<Error | null>(null);
  const mine = claimedBy?.operatorId === operator.operatorId;
  const whose = claimedBy === null ? 'nobody' : mine ? 'mine' : 'theirs';
  const press = (act: () => Promise<unknown>) => () => {
    setError(null);
    act().catch(setError);
  };
  return (
    <>
      <div
        className={classes['claim']}
        data-whose={whose}
        data-quiet={whose === 'nobody' && !may(operator, 'decide')}
      >
        <Button
          className={classes['back'] ?? ''}
          variant="subtle"
          size="compact-sm"
          onClick={onBack}
        >
          Back to the queue
        </Button>
        <span role="status">
          {whose === 'mine'
            ? 'You are working on this order. Others see your name. Leave it to free it.'
            : null}
          {whose === 'theirs' && claimedBy !== null
            ? `${claimedBy.name} is working on this order.`
            : null}
        </span>
        {!may(operator, 'decide') || whose === 'theirs' ? null : whose === 'mine' ? (
          <ActionButton
            letter="l"
            variant="default"
            size="compact-sm"
            onClick={press(() => claims.leave(orderId))}
          >
            Leave it
          </ActionButton>
        ) : isQueued ? (
          <ActionButton
            letter="t"
            variant="default"
            size="compact-sm"
            onClick={press(() => claims.claim(orderId))}
          >
            Take this one
          </ActionButton>
        ) : null}
        <Refusal error={error} />
      </div>
      {hasNoMember ? <WhyNoMember orderId={orderId} /> : null}
      <OrderPanel orderId={orderId} embedded onDecided={onDecided} />
    </>
  );
}

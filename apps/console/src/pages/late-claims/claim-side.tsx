import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { CLOSE_LATE_CLAIM, LIST_CANDIDATES, READ_ORDER, TAKE_LATE_CLAIM } from '@munshi/api';
import { roundedAmount } from '@munshi/web';
import {
  ActionButton,
  Card,
  Copy,
  EffectDialog,
  Facts,
  Head,
  Loaded,
  Money,
  OrderStatus,
  Reference,
  Refusal,
  useRead,
  useWrite,
  Warnings,
  When,
} from '@munshi/web-ui';
import { useState } from 'react';
import { Link } from 'wouter';
import { MethodName } from '../../method-names.ts';
import { useSession } from '../../session.tsx';
import { ActionDialog } from '../order/action-dialog.tsx';
import { actionsOf, type OrderAction } from '../order/actions.ts';
import panes from '../queues/queues.module.css';
import { BECAUSE, payment } from './claim.ts';
import { type Claim, useWhose } from './claim-list.tsx';
import classes from './late-claims.module.css';

const CLOSE_TEMPLATES = [
  'No such payment in the member’s statement.',
  'The payment belongs to another order.',
  'The customer paid twice; it was returned to them.',
];

interface ClaimSideProps {
  readonly claim: Claim;
  onBack(): void;
  /** It was closed, or its order confirmed. */
  onDecided(): void;
}

/** A claim, where its money may be, and what can be done about it. */
export function ClaimSide({ claim, onBack, onDecided }: ClaimSideProps) {
  const { claimId, allowedActions, order } = claim;
  const [closing, setClosing] = useState(false);
  const take = useWrite(TAKE_LATE_CLAIM);
  const canTake = allowedActions.includes('take');
  const holder = allowedActions.includes('take-over') ? claim.takenBy : null;
  const takeIt = (from: { readonly from?: string } = {}) =>
    void take.send({ params: { claimId }, body: from }).then(
      () =>
        notifications.show({
          message: 'You are working on it now. The customer can no longer change it.',
        }),
      () => {}, // said beside the button
    );
  return (
    <section className={classes['side']} aria-label={payment(claim)}>
      <Button className={panes['back'] ?? ''} variant="subtle" size="compact-sm" onClick={onBack}>
        Back to the list
      </Button>
      <Head
        lead={
          <>
            <Money amount={order.amount} currency={order.currency} />, {order.merchantName}, claimed{' '}
            <When at={claim.claimedAt} />
          </>
        }
        actions={
          <>
            <Confirm claim={claim} onDecided={onDecided} />
            {canTake ? (
              <ActionButton
                letter="t"
                variant="default"
                loading={take.sending}
                onClick={() => takeIt()}
              >
                Look into it
              </ActionButton>
            ) : null}
            {holder !== null ? (
              <ActionButton
                letter="t"
                variant="default"
                loading={take.sending}
                onClick={() => takeIt({ from: holder })}
              >
                Take it over
              </ActionButton>
            ) : null}
            {allowedActions.includes('close') ? (
              <ActionButton letter="c" variant="default" onClick={() => setClosing(true)}>
                Close…
              </ActionButton>
            ) : null}
          </>
        }
      >
        <h2>{payment(claim)}</h2>
      </Head>
      <Refusal error={take.error} />
      <div className={classes['columns']}>
        <Candidates claimId={claimId} />
        <About claim={claim} />
      </div>
      {closing ? (
        <CloseDialog claim={claim} onClose={() => setClosing(false)} onDecided={onDecided} />
      ) : null}
    </section>
  );
}

/** Confirming the order late, as the order itself allows it. */
function Confirm({
  claim: { orderId, status },
  onDecided,
}: Pick<ClaimSideProps, 'claim' | 'onDecided'>) {
  const { data, dataUpdatedAt } = useRead(
    READ_ORDER,
    { params: { orderId } },
    { watch: ['order', 'approval'] },
  );
  // It stays, with its note, when the order or the claim leaves nothing to confirm meanwhile.
  const [chosen, setChosen] = useState<OrderAction | null>(null);
  if (data === undefined) return null;
  const order = data.data;
  const actions = status === 'open' ? actionsOf(order) : [];
  const action =
    actions.find(({ id }) => id.startsWith('approve')) ??
    actions.find(({ id }) => id === 'confirm');
  return (
    <>
      {action === undefined ? null : (
        <ActionButton letter="a" onClick={() => setChosen(action)}>
          {`${action.label}…`}
        </ActionButton>
      )}
      {chosen === null ? null : (
        <ActionDialog
          action={chosen}
          order={order}
          readAt={dataUpdatedAt}
          onClose={() => setChosen(null)}
          onDecided={onDecided}
        />
      )}
    </>
  );
}

function CloseDialog({
  claim,
  onClose,
  onDecided,
}: Pick<ClaimSideProps, 'claim' | 'onDecided'> & { onClose(): void }) {
  const { claimId, status, takenBy } = claim;
  const { operator } = useSession();
  const close = useWrite(CLOSE_LATE_CLAIM);
  const whose = useWhose(claim);
  const isTheirs = status === 'open' && takenBy !== null && takenBy !== operator.operatorId;
  return (
    <EffectDialog
      onClose={onClose}
      title="Close the claim"
      note={{ label: 'What was found', templates: CLOSE_TEMPLATES }}
      onSend={async (note) => {
        await close.send({ params: { claimId }, body: { note } });
        notifications.show({ message: 'The claim is closed.' });
        onDecided();
      }}
    >
      {isTheirs ? <Warnings>{[whose]}</Warnings> : null}
      <p className="quiet">
        The order does not change. If the money came, confirm the order instead: that closes the
        claim. Neither the customer nor the merchant is told.
      </p>
    </EffectDialog>
  );
}

/** The orders that may have got the money, the likeliest first, and why. */
function Candidates({ claimId }: { readonly claimId: string }) {
  const read = useRead(LIST_CANDIDATES, { params: { claimId } }, { watch: ['order'] });
  return (
    <Card title="Where the money may be">
      <Loaded read={read} rows={4}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="quiet">
              No other order has these digits or this payer, or this amount on the account, around
              that time.
            </p>
          ) : (
            <ul className={classes['candidates']}>
              {data.map((one) => (
                <li key={one.orderId}>
                  <div className={classes['line']}>
                    <Link href={`/orders/${one.orderId}`} className="number">
                      <Reference reference={one.orderReference} />
                    </Link>
                    <OrderStatus status={one.status} stage={one.stage} />
                  </div>
                  <div className={classes['line']}>
                    <span>
                      <Money amount={one.amount} currency={one.currency} />
                      {one.transactionDigits === null ? null : `, digits ${one.transactionDigits}`}
                    </span>
                    <span className="quiet">
                      <When at={one.sentAt ?? one.createdAt} />
                    </span>
                  </div>
                  <ul className={classes['reasons']}>
                    {one.because.map((reason) => (
                      <li key={reason}>{BECAUSE[reason]}</li>
                    ))}
                  </ul>
                  <div className="quiet">
                    {[one.merchantName, one.memberName].filter((name) => name !== null).join(', ')}
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

/** What the customer said, of which order, and what was found. */
function About({ claim }: { readonly claim: Claim }) {
  const { order, transactionDigits, payerAccount, claimedAt, closedAt, note } = claim;
  const rounded = roundedAmount({ ...order, orderType: 'Deposit' });
  const whose = useWhose(claim);
  return (
    <div>
      {note === null ? null : (
        <Card title="What was found">
          <p className={classes['note']}>{note}</p>
          <p className="quiet">
            {whose}
            {closedAt === null ? null : (
              <>
                , <When at={closedAt} />
              </>
            )}
          </p>
        </Card>
      )}
      <Card title="The claim">
        <Facts
          facts={[
            [
              'Order',
              <Link key="order" href={`/orders/${claim.orderId}`} className="number">
                <Reference reference={order.orderReference} />
              </Link>,
            ],
            ...(transactionDigits === null
              ? []
              : [
                  [
                    'Digits',
                    <Copy key="digits" value={transactionDigits} what="the digits" />,
                  ] as const,
                ]),
            ...(payerAccount === null ? [] : [['Paid from', payerAccount] as const]),
            ['Amount', <Money key="amount" amount={order.amount} currency={order.currency} />],
            ...(rounded === null
              ? []
              : [
                  [
                    'Customer sends',
                    <Money key="sent" amount={rounded} currency={order.currency} />,
                  ] as const,
                ]),
            [
              'Method',
              <MethodName key="method" method={order.walletType} currency={order.currency} />,
            ],
            ['Ask about the money', order.memberName ?? 'nobody held it'],
            ['Link ends', <When key="expired" at={order.expiresAt} />],
            ['Claimed', <When key="claimed" at={claimedAt} />],
          ]}
        />
        {closedAt === null ? <p className="quiet">{whose}</p> : null}
      </Card>
    </div>
  );
}

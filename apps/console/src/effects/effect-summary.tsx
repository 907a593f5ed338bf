import type { EffectWarning } from '@munshi/api';
import { groupedAmount } from '@munshi/web';
import { Copy, Effect, Effects, Money, OrderStatus, Reference, Warnings } from '@munshi/web-ui';
import ArrowRight from 'lucide-react/icons/arrow-right';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './effects.module.css';
import { Waits } from './if-it-waits.tsx';
import type { ShownEffect } from './use-preview.ts';

const WARNINGS: Readonly<Record<EffectWarning, string>> = {
  'second-operator': 'Two people are needed for this.',
  'balance-below-zero': 'The merchant’s available balance goes below zero.',
  'float-below-held': 'The member’s float goes below what open deposits hold.',
  'reference-taken': 'A newer order has this order’s reference:',
  'digits-elsewhere': 'Another order has the same digits or payer:',
  'nobody-said-paid': 'Neither the customer nor the member has said that money moved.',
  'member-may-have-paid':
    'A member began to send this payout, or reported it: make sure that nothing was sent.',
  'no-member': 'Nobody held this order: the adjustments account stands in for a member.',
  'no-webhook': 'The order has no callback URL, so no webhook is sent.',
};

const ACCOUNTS = {
  wallet: 'Merchant wallet',
  frozen: 'Merchant frozen',
  memberFloat: 'Member float',
  fees: 'Fees',
  adjustments: 'Adjustments',
};

/** What a write would do, in full: for the dialog before it. */
export function EffectSummary({ effect }: { readonly effect: ShownEffect }) {
  return (
    <>
      <Waits known={effect} />
      <EffectWarnings effect={effect} />
      <div className={classes['columns']}>
        <div>
          <OrderBecomes order={effect.order} />
          <Balances effect={effect} />
        </div>
        <div>
          <Ledger postings={effect.postings} />
          <WebhookSent webhook={effect.webhook} />
        </div>
      </div>
    </>
  );
}

const NAMED_MAX = 3;

/** What to think of before it is done. That two people are needed stands above. */
function EffectWarnings({ effect: { warnings } }: { readonly effect: ShownEffect }) {
  const shown = warnings.filter(({ code }) => code !== 'second-operator');
  return (
    <Warnings>
      {shown.map(({ code, orders }) => (
        <Fragment key={code}>
          {WARNINGS[code]}
          {orders.slice(0, NAMED_MAX).map(({ orderId, orderReference }) => (
            <Fragment key={orderId}>
              {' '}
              <Link href={`/orders/${orderId}`} target="_blank">
                <Reference reference={orderReference} />
              </Link>
            </Fragment>
          ))}
          {orders.length > NAMED_MAX ? ` and ${orders.length - NAMED_MAX} more` : null}
        </Fragment>
      ))}
    </Warnings>
  );
}

function OrderBecomes({ order }: Pick<ShownEffect, 'order'>) {
  if (order === null) return null;
  const { before, after } = order;
  return (
    <Effects label="The order becomes">
      <Effect
        what={<OrderStatus status={before.status} stage={before.stage} />}
        after={
          <span className={classes['becomes']}>
            <ArrowRight size={14} aria-label="becomes" />
            <OrderStatus status={after.status} stage={after.stage} />
          </span>
        }
      />
      {after.failureReason === null || after.failureReason === before.failureReason ? null : (
        <Effect what="The merchant is told" after={after.failureReason} />
      )}
    </Effects>
  );
}

/** Merchants' balances and members' float, before and after; only what changes. */
function Balances({ effect }: { readonly effect: ShownEffect }) {
  const changes = balancesOf(effect);
  return (
    <Effects label="Balances, PKR">
      {changes.length === 0 ? (
        <p className="quiet">No money moves.</p>
      ) : (
        changes.map(({ what, before, after }) => (
          <Effect key={what} what={what} before={before} after={after} />
        ))
      )}
    </Effects>
  );
}

export interface Changed {
  readonly what: string;
  readonly before: ReactNode;
  readonly after: ReactNode;
}

/** The balances that change, as text. */
export function balancesOf({
  wallets,
  floats,
}: Pick<ShownEffect, 'wallets' | 'floats'>): readonly Changed[] {
  const money = (what: string, before: string, after: string): readonly Changed[] =>
    before === after ? [] : [{ what, before: groupedAmount(before), after: groupedAmount(after) }];
  return [
    ...wallets.flatMap(({ merchantName, before, after }) => [
      ...money(`${merchantName}, available`, before.availableBalance, after.availableBalance),
      ...money(`${merchantName}, reserved`, before.reservedBalance, after.reservedBalance),
      ...money(`${merchantName}, frozen`, before.frozenBalance, after.frozenBalance),
    ]),
    ...floats.flatMap(({ memberName, before, after }) => [
      ...money(`${memberName}, float`, before.floatBalance, after.floatBalance),
      ...money(`${memberName}, held by open deposits`, before.floatHeld, after.floatHeld),
      ...(before.openOrders === after.openOrders
        ? []
        : [
            {
              what: `${memberName}, orders in hand`,
              before: before.openOrders,
              after: after.openOrders,
            },
          ]),
    ]),
  ];
}

const LEDGER_ACCOUNTS = ['wallet', 'frozen', 'memberFloat', 'fees', 'adjustments'] as const;
type Lines = Readonly<Record<(typeof LEDGER_ACCOUNTS)[number], string>>;

/** The lines of ledger entries: each entry sums to zero. */
export function Ledger({ postings }: { readonly postings: readonly Lines[] }) {
  if (postings.length === 0) return null;
  return (
    <Effects label="Ledger, PKR">
      {postings.flatMap((posting, at) =>
        LEDGER_ACCOUNTS.filter((account) => posting[account] !== '0').map((account) => (
          <Effect
            key={`${account} ${at + 1}`}
            what={ACCOUNTS[account]}
            after={<Money amount={posting[account]} signed />}
          />
        )),
      )}
    </Effects>
  );
}

function WebhookSent({ webhook }: Pick<ShownEffect, 'webhook'>) {
  if (webhook === null) return null;
  return (
    <section className={classes['webhook']}>
      <p>
        {webhook.eventType} to <Copy value={webhook.url} what="Webhook" mono />
      </p>
      <details>
        <summary>Body as it will be sent</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too */}
        <pre tabIndex={0}>{inLines(webhook.body)}</pre>
      </details>
    </section>
  );
}

/** The body as it is sent, broken before each field: amounts stay the digits that they are. */
const inLines = (body: string) => body.replaceAll(',"', ',\n "');

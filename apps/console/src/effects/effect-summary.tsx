import { groupedAmount } from '@munshi/web';
import { Copy, Effect, Effects, Money, OrderStatus, Warnings } from '@munshi/web-ui';
import ArrowRight from 'lucide-react/icons/arrow-right';
import UsersRound from 'lucide-react/icons/users-round';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './effects.module.css';
import { texts } from './texts.ts';
import type { ShownEffect } from './use-preview.ts';

/** What a write would do, in full: for the dialog before it. */
export function EffectSummary({ effect }: { readonly effect: ShownEffect }) {
  return (
    <>
      {effect.status === 'pendingApproval' ? (
        <p className={classes['two']}>
          <UsersRound size={16} aria-hidden />
          {texts.twoPeople}
        </p>
      ) : null}
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
          {texts.warnings[code]}
          {orders.slice(0, NAMED_MAX).map(({ orderId, orderReference }) => (
            <Fragment key={orderId}>
              {' '}
              <Link href={`/orders/${orderId}`} target="_blank" className="number">
                {orderReference}
              </Link>
            </Fragment>
          ))}
          {orders.length > NAMED_MAX ? ` ${texts.andMore(orders.length - NAMED_MAX)}` : null}
        </Fragment>
      ))}
    </Warnings>
  );
}

function OrderBecomes({ order }: Pick<ShownEffect, 'order'>) {
  if (order === null) return null;
  const { before, after } = order;
  return (
    <Effects label={texts.becomes}>
      <Effect
        what={<OrderStatus status={before.status} stage={before.stage} />}
        after={
          <span className={classes['becomes']}>
            <ArrowRight size={14} aria-label={texts.becomesThis} />
            <OrderStatus status={after.status} stage={after.stage} />
          </span>
        }
      />
      {after.failureReason === null || after.failureReason === before.failureReason ? null : (
        <Effect what={texts.failureReason} after={after.failureReason} />
      )}
    </Effects>
  );
}

/** Merchants' balances and members' float, before and after; only what changes. */
function Balances({ effect }: { readonly effect: ShownEffect }) {
  const changes = balancesOf(effect);
  return (
    <Effects label={texts.balances}>
      {changes.length === 0 ? (
        <p className="quiet">{texts.noMoney}</p>
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
      ...money(texts.available(merchantName), before.availableBalance, after.availableBalance),
      ...money(texts.reserved(merchantName), before.reservedBalance, after.reservedBalance),
      ...money(texts.frozen(merchantName), before.frozenBalance, after.frozenBalance),
    ]),
    ...floats.flatMap(({ memberName, before, after }) => [
      ...money(texts.float(memberName), before.floatBalance, after.floatBalance),
      ...money(texts.held(memberName), before.floatHeld, after.floatHeld),
      ...(before.openOrders === after.openOrders
        ? []
        : [
            {
              what: texts.inHand(memberName),
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
    <Effects label={texts.ledger}>
      {postings.flatMap((posting, at) =>
        LEDGER_ACCOUNTS.filter((account) => posting[account] !== '0').map((account) => (
          <Effect
            key={`${account} ${at + 1}`}
            what={texts.accounts[account]}
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
        {texts.webhookTo(webhook.eventType)} <Copy value={webhook.url} what={texts.webhook} mono />
      </p>
      <details>
        <summary>{texts.webhookBody}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too */}
        <pre tabIndex={0}>{inLines(webhook.body)}</pre>
      </details>
    </section>
  );
}

/** The body as it is sent, broken before each field: amounts stay the digits that they are. */
const inLines = (body: string) => body.replaceAll(',"', ',\n "');

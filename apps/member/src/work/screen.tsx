import { MEMBER_SET_PRESENCE } from '@munshi/api';
import { groupedAmount } from '@munshi/web';
import { useState } from 'preact/hooks';
import { soundAllowed } from '../alarm/sound.ts';
import { openSteps } from '../alerts/standing.ts';
import { agoText, isolated, leftToRight, moneyText, shortAccount } from '../format.ts';
import { texts } from '../language.ts';
import { waiting } from '../outbox/actions.ts';
import { UnsentList } from '../outbox/unsent.tsx';
import { Screen } from '../parts/frame.tsx';
import { BellIcon, WarnIcon } from '../parts/icons.tsx';
import { lazyPart } from '../parts/lazy.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { Link } from '../router.tsx';
import { write } from '../session.ts';
import { hasUpdate, takeUpdate } from '../updates.ts';
import { GoneCard, OrderCard } from './cards.tsx';
import { refresh } from './follow.ts';
import { failed, gone, learnMe, me, orders, toDo } from './known.ts';
import { bySoonest, GROUPS, type Group, groupOf, type Me, type Order } from './orders.ts';
import { sought } from './sought.ts';

const Finder = lazyPart(async () => (await import('../find/finder.tsx')).Finder);

/** M3: what is in hand, and whether more comes. */
export function WorkScreen() {
  const { work, presence } = texts.value;
  const mine = me.value;
  return (
    <Screen
      title={toDo.value === 0 ? work.title : `${work.title} (${toDo.value})`}
      head={mine === null ? <HeadSkeleton /> : <Standing me={mine} />}
      action={
        mine !== null && !mine.online && mine.status === 'active' ? (
          <button type="button" class="primary" onClick={() => void setPresence(true)}>
            {presence.goOnline}
          </button>
        ) : undefined
      }
    >
      <AlertsLine />
      <UnsentList />
      {mine === null ? (
        <Loading />
      ) : (
        <>
          <Finder />
          {sought.value.trim() === '' ? <InHand me={mine} /> : null}
        </>
      )}
    </Screen>
  );
}

async function setPresence(wanted: boolean): Promise<void> {
  const outcome = await write(MEMBER_SET_PRESENCE, { body: { online: wanted } });
  if (outcome?.ok) learnMe(outcome.answer.data);
  await refresh();
}

/** The switch, why no orders come, and the float. */
function Standing({ me: mine }: { readonly me: Me }) {
  const { presence, float } = texts.value;
  const [asking, setAsking] = useState(false);
  const open = orders.value.length;
  const flip = () => {
    if (mine.online && open > 0) setAsking(true);
    else void setPresence(!mine.online);
  };
  const { balance, held, free } = mine.float;
  return (
    <div class="standing">
      <div class="presence">
        <span id="presence" class="presence-word">
          {mine.online ? presence.online : presence.offline}
        </span>
        <button
          type="button"
          role="switch"
          class="switch"
          aria-checked={mine.online}
          aria-label={presence.online}
          disabled={mine.status !== 'active'}
          onClick={flip}
        >
          <span />
        </button>
      </div>
      <Reasons me={mine} />
      <div class="float">
        <FloatBar balance={balance} held={held} />
        <p>{float.free(moneyText(free, mine.currency), leftToRight(groupedAmount(balance)))}</p>
        <p class="dim">{float.orders(mine.capacity.openOrders, mine.capacity.maxOpenOrders)}</p>
      </div>
      {asking ? (
        <StopSheet
          count={open}
          onClose={() => setAsking(false)}
          onStop={() => {
            setAsking(false);
            void setPresence(false);
          }}
        />
      ) : null}
    </div>
  );
}

function FloatBar({ balance, held }: { readonly balance: string; readonly held: string }) {
  // A width, not money: thousandths of the bar.
  const [whole = '0'] = balance.split('.');
  const [part = '0'] = held.split('.');
  const total = BigInt(whole);
  const share = total > 0n ? Number((BigInt(part) * 1000n) / total) / 10 : 0;
  return (
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="4" class="bar-held" />
      <rect width={Math.max(0, 100 - share)} height="4" class="bar-free" />
    </svg>
  );
}

interface StopSheetProps {
  readonly count: number;
  onStop(): void;
  onClose(): void;
}

const StopSheet = ({ count, onStop, onClose }: StopSheetProps) => {
  const { presence } = texts.value;
  return (
    <Sheet title={presence.stop} onClose={onClose}>
      <p>{presence.stopLead(count)}</p>
      <button type="button" class="primary" onClick={onStop}>
        {presence.stopDo(count)}
      </button>
      <button type="button" class="secondary" onClick={onClose}>
        {presence.stay}
      </button>
    </Sheet>
  );
};

type Because = Me['noOrdersBecause'][number];

/** The first reason why no orders come, with what helps. */
function Reasons({ me: mine }: { readonly me: Me }) {
  const { noOrders, presence } = texts.value;
  const [reason] = mine.noOrdersBecause;
  if (reason === undefined) return <p class="reason dim">{presence.comes}</p>;
  const account = mine.accounts.find(({ accountId }) => accountId === reason.accountId);
  const known: Readonly<Record<Because['code'], readonly [text: string, link?: string]>> = {
    suspended: [noOrders.suspended],
    offline: [noOrders.offline],
    'no-approved-account': [noOrders.noAccount, noOrders.seeAccounts],
    'all-accounts-paused': [noOrders.allPaused, noOrders.seeAccounts],
    'account-paused': [noOrders.paused, noOrders.seeAccounts],
    'orders-paused': [noOrders.byOperator],
    'capacity-full': [noOrders.full(mine.capacity.openOrders)],
    'no-float': [noOrders.noFloat, noOrders.seeFloat],
    'daily-limit': [
      noOrders.dailyLimit(shortAccount(account?.accountNumber ?? '')),
      noOrders.seeAccounts,
    ],
  };
  const [text, link] = known[reason.code] ?? [isolated(reason.message)];
  return (
    <p class="reason amber">
      <WarnIcon size={16} /> <span>{text}</span>{' '}
      {link === undefined ? null : <Link to="/account">{link}</Link>}
    </p>
  );
}

/** A phone that may not call: how much of M2 is open. */
function AlertsLine() {
  const { work } = texts.value;
  const open = openSteps.value.length;
  return open === 0 ? null : (
    <p class="note warn top">
      <BellIcon size={18} /> <span>{work.alertsOpen(open)}</span>
      <Link to="/account/alerts">{work.setUp}</Link>
    </p>
  );
}

function InHand({ me: mine }: { readonly me: Me }) {
  const grouped = Map.groupBy(
    orders.value.filter((order) => groupOf(order) !== undefined),
    groupOf,
  );
  return (
    <>
      {soundAllowed.value || !mine.online ? null : (
        <p class="note top">{texts.value.work.soundOff}</p>
      )}
      {GROUPS.map((group) => (
        <GroupOfCards key={group} group={group} orders={grouped.get(group) ?? []} />
      ))}
      {gone.value.map((order) => (
        <GoneCard key={order.orderId} order={order} />
      ))}
      {orders.value.length === 0 && gone.value.length === 0 && waiting.value.length === 0 ? (
        <>
          <Update />
          <Nothing me={mine} />
        </>
      ) : null}
    </>
  );
}

function GroupOfCards({
  group,
  orders: list,
}: {
  readonly group: Group;
  readonly orders: readonly Order[];
}) {
  if (list.length === 0) return null;
  return (
    <section class={`group ${group}`} aria-labelledby={`group-${group}`}>
      <h2 id={`group-${group}`}>
        {texts.value.groups[group]} <b class="count">{list.length}</b>
      </h2>
      <ul>
        {[...list].sort(bySoonest).map((order) => (
          <li key={order.orderId}>
            <OrderCard order={order} group={group} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Nothing({ me: mine }: { readonly me: Me }) {
  const { work } = texts.value;
  const [title, lead] =
    mine.status === 'suspended'
      ? [work.suspended, work.suspendedLead]
      : mine.online
        ? [work.listening, work.listeningLead]
        : [work.off, work.offLead];
  return (
    <div class={`nothing ${mine.online && mine.status === 'active' ? 'listening' : ''}`}>
      <svg class="waves" width="96" height="96" viewBox="0 0 96 96" aria-hidden="true">
        <circle cx="48" cy="48" r="44" />
        <circle cx="48" cy="48" r="28" />
        <circle cx="48" cy="48" r="11" class="core" />
      </svg>
      <h2>{title}</h2>
      <p>{lead}</p>
      {mine.lastAssignedAt === null ? null : <p>{work.last(agoText(mine.lastAssignedAt))}</p>}
    </div>
  );
}

const HeadSkeleton = () => <div class="standing skeleton-head" />;

function Loading() {
  const { work, again } = texts.value;
  if (failed.value)
    return (
      <div class="nothing" role="alert">
        <h2>{work.failed}</h2>
        <button type="button" class="secondary" onClick={() => void refresh()}>
          {again}
        </button>
      </div>
    );
  return <Skeletons cards={2} />;
}

/** Offered where no order is open, and never more than that. */
function Update() {
  const { work } = texts.value;
  if (!hasUpdate()) return null;
  return (
    <p class="note top">
      <span>{work.update}</span>
      <button type="button" class="bare" onClick={takeUpdate}>
        {work.updateNow}
      </button>
    </p>
  );
}

import { type AnswerOf, MEMBER_LIST_MOVEMENTS } from '@munshi/api';
import { type AsText, amountText, isZero } from '@munshi/web';
import { useEffect, useState } from 'preact/hooks';
import { leftToRight, timeText } from '../format.ts';
import { accountName } from '../history/account-name.ts';
import { ByAccount, InAndOut } from '../history/day.tsx';
import { type Days, dayName, dayOf, readDays } from '../history/days.ts';
import { Skeletons } from '../parts/skeletons.tsx';
import '../history/history.css';
import { texts } from '../language.ts';
import { BackButton, Screen } from '../parts/frame.tsx';
import { Exact, Money } from '../parts/values.tsx';
import { Link } from '../router.tsx';
import { api, comebacks } from '../service.ts';
import { me } from '../work/known.ts';
import { shortReference } from '../work/orders.ts';
import { Equation } from './equation.tsx';
import { words } from './words.ts';
import './account.css';

type Movement = AsText<AnswerOf<typeof MEMBER_LIST_MOVEMENTS>>['data'][number];

interface Read {
  readonly movements: readonly Movement[];
  readonly cursor: string | null;
  readonly days: Days;
}

/** The float of M11: the equation, and every movement with its order. */
export function FloatScreen() {
  const { account, signIn, again } = texts.value;
  const [read, setRead] = useState<Read | null>(null);
  const [state, setState] = useState<'reading' | 'read' | 'failed'>('reading');
  const look = async (before: Read | null) => {
    setState('reading');
    const next = await readOn(before);
    if (next !== undefined) setRead(next);
    setState(next === undefined ? 'failed' : 'read');
  };
  // What a movement changes is the balance.
  const balance = me.value?.float.balance;
  useEffect(() => void look(null), [balance, comebacks.value]);
  return (
    <Screen
      title={words.value.float}
      head={
        <>
          <BackButton to="/account" label={account.title} />
          <b>{words.value.float}</b>
          <i />
        </>
      }
      headClass="of-order"
    >
      {me.value === null ? null : <Equation me={me.value} />}
      <p class="hint lead">{words.value.movementsLead}</p>
      {read === null && state === 'reading' ? <Skeletons cards={1} /> : null}
      {state === 'failed' ? (
        <p class="note warn top" role="alert">
          <span>{signIn.unreachable}</span>
          <button type="button" class="bare" onClick={() => void look(read)}>
            {again}
          </button>
        </p>
      ) : null}
      {read === null ? null : <Movements {...read} />}
      {read === null || read.cursor === null ? null : (
        <button
          type="button"
          class="secondary more"
          disabled={state === 'reading'}
          onClick={() => void look(read)}
        >
          {words.value.more}
        </button>
      )}
    </Screen>
  );
}

async function readOn(before: Read | null): Promise<Read | undefined> {
  const cursor = before?.cursor ?? null;
  const query = { limit: 50, ...(cursor !== null && { cursor }) };
  const outcome = await api.call(MEMBER_LIST_MOVEMENTS, { query }).catch(() => undefined);
  if (!outcome?.ok) return undefined;
  const { data, nextCursor } = outcome.answer;
  const movements = [...(before?.movements ?? []), ...data];
  const oldest = movements.at(-1);
  const days = await readDays(before?.days ?? null, oldest && dayOf(oldest.countedAt));
  return days && { movements, cursor: nextCursor, days };
}

function Movements({ movements, days }: Read) {
  if (movements.length === 0)
    return (
      <div class="nothing">
        <h2>{words.value.noMovements}</h2>
      </div>
    );
  const byDay = Map.groupBy(movements, ({ countedAt }) => dayOf(countedAt));
  return (
    <>
      {[...byDay].map(([day, list]) => (
        <section class="day" key={day}>
          <h2>{dayName(day)}</h2>
          <DaySums day={day} days={days} />
          <ul class="card rows plain">
            {list.map((movement) => (
              <li key={movement.movementId}>
                <Row movement={movement} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** What came and went, by account where there are several, and what operators gave and took. */
function DaySums({ day, days }: { readonly day: string; readonly days: Days }) {
  const counted = days.days.find(({ date }) => date === day);
  if (counted === undefined) return null;
  const given = [
    [words.value.added, counted.floatAdded],
    [words.value.taken, counted.floatTaken],
  ] as const;
  return (
    <>
      <InAndOut of={counted} />
      {given.map(([name, amount]) =>
        isZero(amount) ? null : (
          <p class="sum" key={name}>
            <span>{name}</span> <Money amount={amount} currency="PKR" />
          </p>
        ),
      )}
      <ByAccount day={counted} />
    </>
  );
}

function Row({ movement }: { readonly movement: Movement }) {
  const { orderId, orderReference, orderType, account, amount, at, note } = movement;
  const { added, taken, deposit, withdrawal } = words.value;
  const less = amount.startsWith('-');
  const reference = leftToRight(shortReference(orderReference ?? ''));
  const name =
    orderType === null
      ? less
        ? taken
        : added
      : orderType === 'Deposit'
        ? deposit(reference)
        : withdrawal(reference);
  return (
    <>
      {orderId === null ? (
        <span>{name}</span>
      ) : (
        <Link to={`/orders/${orderId}`} class="whole">
          {name}
        </Link>
      )}
      <Exact dir="ltr" class={`money ${less ? '' : 'more-money'}`}>
        {less ? '' : '+'}
        {amountText(amount, 'PKR')}
      </Exact>
      <span class="dim">{account === null ? <bdi>{note ?? ''}</bdi> : accountName(account)}</span>
      <span class="dim end">{timeText(at)}</span>
    </>
  );
}

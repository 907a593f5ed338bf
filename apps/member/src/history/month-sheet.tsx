import { MEMBER_EXPORT_ORDERS } from '@munshi/api';
import { useState } from 'preact/hooks';
import { isolated } from '../format.ts';
import { LANGUAGES, language, texts } from '../language.ts';
import { now } from '../now.ts';
import { Sheet } from '../parts/sheet.tsx';
import { refusalText } from '../refusals.ts';
import { api } from '../service.ts';
import { dayOf, utcOffset } from './days.ts';
import { words } from './words.ts';

const MONTHS = 12;
/** A month of many orders, over a slow network. */
const TIMEOUT_MS = 120_000;

/** A month of orders as CSV, into the phone's downloads. */
export function MonthSheet({ onClose }: { onClose(): void }) {
  const { month: said } = words.value;
  const { signIn, close } = texts.value;
  const months = lastMonths();
  const [month, setMonth] = useState(months[0] ?? '');
  const [state, setState] = useState<'asked' | 'preparing' | 'done'>('asked');
  const [wrong, setWrong] = useState<string | null>(null);
  const file = `orders-${month}.csv`;
  const download = async () => {
    setWrong(null);
    setState('preparing');
    const query = { month, utcOffset: utcOffset() };
    const outcome = await api
      .download(MEMBER_EXPORT_ORDERS, { query, timeoutMs: TIMEOUT_MS })
      .catch(() => undefined);
    if (outcome?.ok) save(outcome.content, file);
    else setWrong(outcome === undefined ? signIn.unreachable : refusalText(outcome.refusal.code));
    setState(outcome?.ok ? 'done' : 'asked');
  };
  return (
    <Sheet title={said.title} onClose={onClose}>
      <p>{said.lead}</p>
      <div class="field">
        <label for="month">{said.which}</label>
        <select
          id="month"
          value={month}
          onChange={({ currentTarget }) => {
            setMonth(currentTarget.value);
            setState('asked');
          }}
        >
          {months.map((each) => (
            <option key={each} value={each}>
              {monthName(each)}
            </option>
          ))}
        </select>
      </div>
      <div role="status">
        {state === 'done' ? <p class="note good">{said.done(isolated(file))}</p> : null}
        {wrong === null ? null : <p class="note bad">{wrong}</p>}
      </div>
      <button
        type="button"
        class="primary"
        disabled={state === 'preparing'}
        onClick={() => (state === 'done' ? onClose() : void download())}
      >
        {state === 'preparing' ? said.preparing : state === 'done' ? close : said.download}
      </button>
    </Sheet>
  );
}

function lastMonths(): readonly string[] {
  const [year = 0, month = 0] = dayOf(now.value).split('-').map(Number);
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7),
  );
}

const monthName = (month: string): string =>
  new Intl.DateTimeFormat(LANGUAGES[language.value].locale, {
    ...{ month: 'long', year: 'numeric', timeZone: 'UTC' },
  } as Intl.DateTimeFormatOptions).format(Date.parse(month));

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has it once the click is over; a minute is for slow ones.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

import { agoText, moneyText } from '../format.ts';
import { texts } from '../language.ts';
import { now } from '../now.ts';
import { ReadOff } from '../parts/values.tsx';
import { refusalText } from '../refusals.ts';
import { online } from '../work/known.ts';
import { discard, sendNow, undo } from './actions.ts';
import { referenceOf, type Waiting } from './decisions.ts';
import { canUndo, UNDO_MS } from './outbox.ts';

/** `Confirm PKR 2,500`. */
export const decisionText = ({ action: { deed, amount, currency } }: Waiting): string =>
  texts.value.outbox.decisions[deed.kind](moneyText(amount, currency));

/** Where an action stands, in one line; and whether it goes with the app. */
export function OutboxLine({ entry }: { readonly entry: Waiting }) {
  const isLost = entry.unkept === true && entry.state !== 'refused';
  return (
    <p class={`outbox-line ${entry.state}`}>
      {standing(entry)}
      {isLost ? <b class="unkept">{texts.value.outbox.unkept}</b> : null}
    </p>
  );
}

function standing(entry: Waiting): string {
  const { outbox } = texts.value;
  if (entry.state === 'undoable') return outbox.sendingIn(secondsLeft(entry));
  if (entry.state === 'asking') return outbox.late(decisionText(entry), agoText(entry.madeAt));
  if (entry.state === 'refused') return `${outbox.refused}: ${refusalText(entry.refusal)}`;
  return online.value ? outbox.sending : outbox.waiting;
}

const secondsLeft = ({ madeAt }: Waiting): number =>
  Math.min(UNDO_MS / 1000, Math.max(0, Math.ceil((madeAt + UNDO_MS - now.value) / 1000)));

/**
 * The same with what can be done about it: at the bottom edge of its order. It is read out when it
 * changes, but for the seconds that count down.
 */
export function OutboxBar({ entry }: { readonly entry: Waiting }) {
  const { outbox } = texts.value;
  const carried = entry.action.pictures?.length ?? 0;
  const line = <OutboxLine entry={entry} />;
  const counts = entry.state === 'undoable';
  return (
    <div class={`outbox-bar ${entry.state}`}>
      <div>
        <div role="status">
          <b>{decisionText(entry)}</b>
          {counts ? null : line}
        </div>
        {counts ? line : null}
        {entry.state === 'refused' ? <Typed entry={entry} /> : null}
        {carried > 0 && entry.state !== 'refused' ? (
          <p class="outbox-line">{outbox.goesWith(carried)}</p>
        ) : null}
      </div>
      {canUndo(entry) ? (
        <button type="button" class="secondary" onClick={() => void undo(entry)}>
          {outbox.undo}
        </button>
      ) : null}
      {entry.state === 'asking' ? (
        <div class="pair">
          <button type="button" class="secondary" onClick={() => void discard(entry)}>
            {outbox.discard}
          </button>
          <button type="button" class="primary" onClick={() => void sendNow(entry)}>
            {outbox.sendNow}
          </button>
        </div>
      ) : null}
      {entry.state === 'refused' ? (
        <button type="button" class="secondary" onClick={() => void discard(entry)}>
          {outbox.hide}
        </button>
      ) : null}
    </div>
  );
}

/** The transaction's ID that was not accepted, so that the member can say it to an operator. */
function Typed({ entry }: { readonly entry: Waiting }) {
  const reference = referenceOf(entry.action.deed);
  if (reference === undefined) return null;
  return (
    <p class="outbox-line">
      {texts.value.pay.reference}: <ReadOff of={reference} />
    </p>
  );
}

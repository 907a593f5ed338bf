import { TextInput } from '@mantine/core';
import { type ClosingMemberView, COUNT_CLOSING } from '@munshi/api';
import { type AsText, isZero, readAmount, subtractMoney } from '@munshi/web';
import { errorText, Money, useWrite } from '@munshi/web-ui';
import { type KeyboardEvent, useState } from 'react';
import classes from './closing.module.css';
import { Difference } from './difference.tsx';

export type Member = AsText<ClosingMemberView>;

/** Typed for a float that cannot be counted. */
const NOT_COUNTED = '-';
const shownCount = ({ counted, note }: Member) => counted ?? (note === null ? '' : NOT_COUNTED);

/** The fields of the table, from the first to the last. */
const fieldsOf = (field: Element): readonly HTMLInputElement[] => [
  ...(field.closest('table')?.querySelectorAll<HTMLInputElement>('input[data-count]') ?? []),
];

function focusBelow(field: Element): void {
  const row = field.closest('tr');
  const fields = fieldsOf(field);
  const own = fields.findIndex((each) => each.closest('tr') === row);
  fields[own + 1]?.select();
  if (fields[own + 1] === undefined) (field as HTMLElement).blur();
}

/** One member: what is typed is kept when the field is left, and Enter goes down. */
export function CountRow({
  closingId,
  member,
}: {
  readonly closingId: string;
  readonly member: Member;
}) {
  const { memberId, memberName, closing } = member;
  const { send, error, sending } = useWrite(COUNT_CLOSING);
  const [count, setCount] = useState<string | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const typed = (count ?? shownCount(member)).trim();
  const isLeftOut = typed === NOT_COUNTED || typed === '\u2212';
  const counted = isLeftOut ? null : readAmount(typed);
  const reason = (note ?? member.note ?? '').trim();
  const difference = counted == null ? null : subtractMoney(counted, closing);
  const needsNote = isLeftOut || (difference !== null && !isZero(difference));
  const isWrong = typed !== '' && counted === undefined;

  const keep = async () => {
    if (counted === undefined || (needsNote && reason === '')) return;
    const isKept =
      typed === shownCount(member) && (needsNote ? reason : null) === (member.note ?? null);
    if (isKept) return;
    const body = { memberId, counted, note: needsNote ? reason : null };
    await send({ params: { closingId }, body }).catch(() => undefined); // `error` says it
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const field = event.currentTarget;
    const ownNote = field.closest('tr')?.querySelector<HTMLInputElement>('input[data-note]');
    if ('count' in field.dataset && needsNote && ownNote) ownNote.focus();
    else if (!needsNote || reason !== '') focusBelow(field);
  };
  return (
    <tr data-saved={member.counted !== null || member.note !== null}>
      <th scope="row">{memberName}</th>
      <td data-align="end" data-label="Expected">
        <Money amount={closing} aligned />
      </td>
      <td className={classes['typed']} data-label="Counted">
        <TextInput
          data-count
          size="xs"
          inputMode="decimal"
          autoComplete="off"
          aria-label={`Counted float of ${memberName}`}
          error={isWrong ? 'An amount, or - where it cannot be counted' : error && errorText(error)}
          value={count ?? shownCount(member)}
          onChange={({ currentTarget }) => setCount(currentTarget.value)}
          onKeyDown={press}
          onBlur={() => void keep()}
        />
      </td>
      <td className={classes['verdict']} data-label="Difference">
        {isLeftOut ? (
          'Not counted'
        ) : difference === null ? null : (
          <Difference amount={difference} />
        )}
        {needsNote ? (
          <TextInput
            data-note
            size="xs"
            placeholder={isLeftOut ? 'Why not' : 'Why it differs'}
            aria-label={`Note on ${memberName}`}
            aria-required
            maxLength={1000}
            error={reason === '' && note !== null ? 'A note is needed' : null}
            value={note ?? member.note ?? ''}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            onKeyDown={press}
            onBlur={() => {
              setNote((was) => was ?? '');
              void keep();
            }}
          />
        ) : null}
        {sending ? <span className="quiet">Saving</span> : null}
      </td>
    </tr>
  );
}

import { accountKey, seenLine } from './account-number.ts';
import { readLastFour } from './order-search.ts';

/** What a search for a merchant or a member may mean. */
export interface PeopleSearch {
  /** Part of a name or username. */
  readonly part: string;
  /** A telephone or account number, as accountKey writes it. */
  readonly number: string;
  /** Its last four digits. */
  readonly lastFour: string | null;
}

/** Reads what was typed or pasted; null: nothing is looked for. */
export function readPeopleSearch(typed: string | null): PeopleSearch | null {
  const part = seenLine(typed ?? '');
  if (part === '') return null;
  return { part, number: accountKey(part), lastFour: readLastFour(part) };
}

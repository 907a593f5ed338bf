import { brokenLinks, LATE_MINUTES, unlinkedEntries } from '../../audit/checks.store.ts';
import type { Invariant } from './invariant.ts';

/** The chain of hashes over the audit log: the first row that is named is the first broken one. */
export const AUDIT: readonly Invariant[] = [
  {
    id: 'A1',
    rule: 'each link of the audit log holds: its hash is over the link before and the entry as it is',
    broken: brokenLinks('true'),
  },
  {
    id: 'A2',
    rule: 'each entry of the audit log has a link or waits for one',
    broken: unlinkedEntries('true'),
  },
  {
    id: 'A3',
    rule: `no entry of the audit log waits more than ${LATE_MINUTES} minutes to be linked`,
    // By the database's clock, as the entries are queued: a sandbox clock jumps.
    broken: `
      select audit_id, since
      from audit_unchained
      where since < clock_timestamp() - interval '${LATE_MINUTES} minutes'
      order by since`,
  },
];

import { READ_AUDIT_CHAIN } from '@munshi/api';
import { Copy, Facts, useRead, When } from '@munshi/web-ui';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import ShieldCheck from 'lucide-react/icons/shield-check';
import classes from './audit.module.css';

const PROBLEMS = {
  changed: 'This entry, or its link, was changed after it was written.',
  removed: 'An entry was removed.',
  gap: 'Links were removed before this entry.',
  unlinked: 'This entry was put in past the chain.',
};

const entriesText = (count: number) => count.toLocaleString('en');

/** Whether the log is what was written, and where it is not. */
export function ChainState() {
  const read = useRead(READ_AUDIT_CHAIN, {});
  const chain = read.data?.data;
  if (chain === undefined) return null;
  const { state, broken, entries, head, checkedAt } = chain;
  if (state === 'sound')
    return (
      <p className={classes['sound']}>
        <ShieldCheck size={16} aria-hidden />
        <span>
          {entriesText(entries)} entries, linked by a chain of hashes that holds.{' '}
          {checkedAt === null ? (
            'Not checked as a whole yet.'
          ) : (
            <>
              All checked <When at={checkedAt} />.
            </>
          )}{' '}
          Last hash:{' '}
          <Copy value={`${entries} ${head}`} what="Last hash" mono>
            {head.slice(0, 12)}
          </Copy>
        </span>
      </p>
    );
  return (
    <div className={classes['broken']} role="alert">
      <ShieldAlert size={20} aria-hidden />
      <div>
        <strong>
          {broken === null
            ? 'New entries are not being linked'
            : 'The audit log is not what was written'}
        </strong>
        <p>
          {broken === null
            ? 'They wait for more than 5 minutes. Is a process with the role worker running?'
            : PROBLEMS[broken.problem]}
        </p>
        {broken === null ? null : (
          <>
            <Facts
              facts={[
                [
                  'First broken entry',
                  <Copy key="id" value={broken.auditId} what="First broken entry" mono />,
                ],
                broken.position === null ? null : ['Link', String(broken.position)],
                [
                  'It holds up to',
                  broken.soundUntil === null ? (
                    'Nothing before it is proven.'
                  ) : (
                    <When key="until" at={broken.soundUntil} />
                  ),
                ],
              ]}
            />
            <p>
              Somebody with rights on the database has changed it. Run munshi verify, and compare
              with a backup.
            </p>
          </>
        )}
      </div>
    </div>
  );
}

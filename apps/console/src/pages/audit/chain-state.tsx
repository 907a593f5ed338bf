import { READ_AUDIT_CHAIN } from '@munshi/api';
import { Copy, Facts, useRead, When } from '@munshi/web-ui';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import ShieldCheck from 'lucide-react/icons/shield-check';
import classes from './audit.module.css';
import { texts } from './texts.ts';

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
          {texts.sound(entriesText(entries))}{' '}
          {checkedAt === null ? (
            texts.notChecked
          ) : (
            <>
              {texts.checked} <When at={checkedAt} />.
            </>
          )}{' '}
          {texts.head}:{' '}
          <Copy value={`${entries} ${head}`} what={texts.head} mono>
            {head.slice(0, 12)}
          </Copy>
        </span>
      </p>
    );
  return (
    <div className={classes['broken']} role="alert">
      <ShieldAlert size={20} aria-hidden />
      <div>
        <strong>{broken === null ? texts.lateTitle : texts.brokenTitle}</strong>
        <p>{broken === null ? texts.lateHint : texts.problems[broken.problem]}</p>
        {broken === null ? null : (
          <>
            <Facts
              facts={[
                [
                  texts.brokenEntry,
                  <Copy key="id" value={broken.auditId} what={texts.brokenEntry} mono />,
                ],
                broken.position === null ? null : [texts.position, String(broken.position)],
                [
                  texts.soundUntil,
                  broken.soundUntil === null ? (
                    texts.nothingHolds
                  ) : (
                    <When key="until" at={broken.soundUntil} />
                  ),
                ],
              ]}
            />
            <p>{texts.brokenHint}</p>
          </>
        )}
      </div>
    </div>
  );
}

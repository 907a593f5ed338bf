import { READ_AUDIT_CHAIN } from '@munshi/api';
import { useRead, When } from '@munshi/web-ui';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { AlarmBar } from './alarm-bar.tsx';

/** The checks look at the log once a minute. */
const EVERY_MS = 60_000;

/** A red bar on every page while the audit log is not what was written; for admins. */
export function AuditAlarm() {
  const read = useRead(READ_AUDIT_CHAIN, {});
  const { refetch } = read;
  useEffect(() => {
    const timer = setInterval(() => void refetch(), EVERY_MS);
    return () => clearInterval(timer);
  }, [refetch]);
  const chain = read.data?.data;
  if (chain === undefined || chain.state === 'sound') return null;
  const until = chain.broken?.soundUntil ?? null;
  return (
    <AlarmBar>
      <span>
        {chain.state === 'late'
          ? 'New entries of the audit log are not being linked. Check that a process with the role worker is running.'
          : 'The audit log was changed.'}{' '}
        {until === null ? null : (
          <>
            It is intact up to <When at={until} />.
          </>
        )}
      </span>
      <Link href="/audit">See what was found</Link>
    </AlarmBar>
  );
}

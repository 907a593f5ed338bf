import { WHO_AM_I } from '@munshi/api';
import { useRead } from '@munshi/web-ui';
import { AlarmBar } from './alarm-bar.tsx';

/** A red bar on every page while fewer than two approvers can sign in (security.md#two-operators). */
export function ApproversAlarm() {
  const read = useRead(WHO_AM_I, {}, { watch: ['setting'], changesWithTime: true });
  const missing = read.data?.data.approversMissing ?? 0;
  if (missing === 0) return null;
  return (
    <AlarmBar>
      <span>
        {missing === 1
          ? 'Only one approver can sign in, so what they ask for cannot be approved. Make another on the server:'
          : 'No approver can sign in, so nothing can be approved. Make two on the server:'}{' '}
        <code>munshi operator-link &lt;name&gt; --approver</code>
      </span>
    </AlarmBar>
  );
}

import { WHO_AM_I } from '@munshi/api';
import { useRead } from '@munshi/web-ui';
import { AlarmBar } from './alarm-bar.tsx';
import { texts } from './texts.ts';

/** A red bar on every page while fewer than two approvers can sign in (security.md#two-operators). */
export function ApproversAlarm() {
  const read = useRead(WHO_AM_I, {}, { watch: ['setting'], changesWithTime: true });
  const missing = read.data?.data.approversMissing ?? 0;
  if (missing === 0) return null;
  return (
    <AlarmBar>
      <span>
        {missing === 1 ? texts.oneApprover : texts.noApprover} <code>{texts.makeApprover}</code>
      </span>
    </AlarmBar>
  );
}

import { AuditOf } from '../../audit-entries.tsx';
import type { TabProps } from './shown.ts';

export const AuditTab = ({ merchant: { merchantId } }: TabProps) => (
  <AuditOf
    target={merchantId}
    watch="setting"
    label="Audit"
    empty="Nothing is recorded about this merchant."
  />
);

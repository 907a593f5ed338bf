import { AuditOf } from '../../audit-entries.tsx';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

export const AuditTab = ({ merchant: { merchantId } }: TabProps) => (
  <AuditOf target={merchantId} watch="setting" label={texts.tabs.audit} empty={texts.noAudit} />
);

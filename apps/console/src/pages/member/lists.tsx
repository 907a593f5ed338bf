import { AuditOf } from '../../audit-entries.tsx';
import { OrdersOf } from '../../orders-of.tsx';
import type { TabProps } from './shown.ts';

export const OrdersTab = ({ member: { memberId } }: TabProps) => (
  <OrdersOf owner={{ memberId }} empty={<p>They have had no order yet.</p>} />
);

export const AuditTab = ({ member: { memberId } }: TabProps) => (
  <AuditOf
    target={memberId}
    watch="member"
    label="Audit"
    empty="Nothing is recorded about this member."
  />
);

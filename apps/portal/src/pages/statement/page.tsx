import { Select } from '@mantine/core';
import {
  PORTAL_EXPORT_STATEMENT,
  PORTAL_EXPORT_STATEMENT_SUMMARY,
  PORTAL_READ_MERCHANT,
  PORTAL_READ_STATEMENT,
} from '@munshi/api';
import { monthName, StatementPage, useRead, useService } from '@munshi/web-ui';
import { Link, useLocation, useParams } from 'wouter';
import { useSession } from '../../session.tsx';
import { monthsSince } from './months.ts';
import classes from './statement.module.css';

/** P5, the statement of a month. */
export default function OwnStatement() {
  const { month = '' } = useParams();
  return (
    <StatementPage
      month={month}
      read={useRead(PORTAL_READ_STATEMENT, { params: { month } })}
      summaryPath={PORTAL_EXPORT_STATEMENT_SUMMARY.path.replace(':month', month)}
      csvPath={PORTAL_EXPORT_STATEMENT.path.replace(':month', month)}
      all={<Link href="/money/statements">All statements</Link>}
      choice={<Months month={month} />}
    />
  );
}

/** Goes to another month that the merchant has had. */
function Months({ month }: { readonly month: string }) {
  const { clock } = useService();
  const { timeZone } = useSession().merchant;
  const merchant = useRead(PORTAL_READ_MERCHANT, {}).data?.data;
  const [, go] = useLocation();
  const months = merchant
    ? monthsSince(Date.parse(merchant.createdAt), clock.now(), timeZone)
    : [month];
  return (
    <Select
      aria-label="Month"
      className={classes['months']}
      allowDeselect={false}
      data={months.map((value) => ({ value, label: monthName(value) }))}
      value={month}
      onChange={(chosen) => chosen !== null && go(`/statements/${chosen}`)}
    />
  );
}

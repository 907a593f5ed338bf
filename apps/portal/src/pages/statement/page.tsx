import { Button, Select } from '@mantine/core';
import { PORTAL_MERCHANT, PORTAL_STATEMENT, PORTAL_STATEMENT_CSV } from '@munshi/api';
import {
  ApiError,
  Card,
  CsvLink,
  Empty,
  Loaded,
  monthName,
  Page,
  StatementSheet,
  useRead,
  useService,
} from '@munshi/web-ui';
import Printer from 'lucide-react/icons/printer';
import { Link, useLocation, useParams } from 'wouter';
import { useSession } from '../../session.tsx';
import { monthsSince } from './months.ts';
import classes from './statement.module.css';
import { texts } from './texts.ts';

/** P5, the statement of a month. */
export default function StatementPage() {
  const { month = '' } = useParams();
  const read = useRead(PORTAL_STATEMENT, { params: { month } });
  const isNone = read.error instanceof ApiError && read.error.refusal.code === 'not-found';
  return (
    <div className={classes['page']}>
      <Page
        title={isNone ? texts.none : texts.title(monthName(month))}
        lead={<Link href="/money/statements">{texts.all}</Link>}
        actions={
          <>
            <Months month={month} />
            {isNone ? null : (
              <>
                <CsvLink
                  path={PORTAL_STATEMENT_CSV.path.replace(':month', month)}
                  label={texts.csv}
                />
                <Button leftSection={<Printer size={16} aria-hidden />} onClick={() => print()}>
                  {texts.print}
                </Button>
              </>
            )}
          </>
        }
      >
        {isNone ? (
          <Card>
            <Empty>{texts.noneHint}</Empty>
          </Card>
        ) : (
          <Loaded read={read} rows={12}>
            {({ data }) => <StatementSheet statement={data} />}
          </Loaded>
        )}
      </Page>
    </div>
  );
}

/** Goes to another month that the merchant has had. */
function Months({ month }: { readonly month: string }) {
  const { clock } = useService();
  const { timeZone } = useSession().merchant;
  const merchant = useRead(PORTAL_MERCHANT, {}).data?.data;
  const [, go] = useLocation();
  const months = merchant
    ? monthsSince(Date.parse(merchant.createdAt), clock.now(), timeZone)
    : [month];
  return (
    <Select
      aria-label={texts.month}
      className={classes['months']}
      allowDeselect={false}
      data={months.map((value) => ({ value, label: monthName(value) }))}
      value={month}
      onChange={(chosen) => chosen !== null && go(`/statements/${chosen}`)}
    />
  );
}

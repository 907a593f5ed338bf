import { Button } from '@mantine/core';
import { READ_STATEMENT, STATEMENT_CSV } from '@munshi/api';
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
} from '@munshi/web-ui';
import Printer from 'lucide-react/icons/printer';
import { Link, useParams } from 'wouter';
import classes from './statement.module.css';
import { texts } from './texts.ts';

/** A month of one merchant's wallet, as the merchant's own people read it. */
export default function StatementPage() {
  const { merchantId = '', month = '' } = useParams();
  const params = { merchantId, month };
  const read = useRead(READ_STATEMENT, { params });
  const csvPath = STATEMENT_CSV.path.replace(':merchantId', merchantId).replace(':month', month);
  const name = read.data?.data.merchantName;
  const all = `/merchants/${merchantId}/statements`;
  const isNone = read.error instanceof ApiError && read.error.refusal.code === 'not-found';
  return (
    <div className={classes['page']}>
      <Page
        title={isNone ? texts.none : texts.title(monthName(month))}
        lead={<Link href={all}>{name === undefined ? texts.theirs : texts.all(name)}</Link>}
        actions={
          isNone ? null : (
            <>
              <CsvLink path={csvPath} label={texts.csv} />
              <Button
                variant="default"
                leftSection={<Printer size={16} aria-hidden />}
                onClick={() => print()}
              >
                {texts.print}
              </Button>
            </>
          )
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

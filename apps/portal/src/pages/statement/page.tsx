import { Button } from '@mantine/core';
import { PORTAL_STATEMENT, PORTAL_STATEMENT_CSV } from '@munshi/api';
import { CsvLink, Loaded, Page, StatementSheet, useRead } from '@munshi/web-ui';
import Printer from 'lucide-react/icons/printer';
import { Link, useParams } from 'wouter';
import classes from './statement.module.css';
import { texts } from './texts.ts';

/** P5, the statement of a month. */
export default function StatementPage() {
  const { month = '' } = useParams();
  const read = useRead(PORTAL_STATEMENT, { params: { month } });
  return (
    <div className={classes['page']}>
      <Page
        title={texts.title(month)}
        lead={<Link href="/money/statements">{texts.all}</Link>}
        actions={
          <>
            <CsvLink path={PORTAL_STATEMENT_CSV.path.replace(':month', month)} label={texts.csv} />
            <Button leftSection={<Printer size={16} aria-hidden />} onClick={() => print()}>
              {texts.print}
            </Button>
          </>
        }
      >
        <Loaded read={read} rows={12}>
          {({ data }) => <StatementSheet statement={data} />}
        </Loaded>
      </Page>
    </div>
  );
}

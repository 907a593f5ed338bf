import { READ_STATEMENT, STATEMENT_CSV, STATEMENT_SUMMARY_CSV } from '@munshi/api';
import { StatementPage, useRead } from '@munshi/web-ui';
import { Link, useParams } from 'wouter';
import { texts } from './texts.ts';

/** A month of one merchant's wallet, as the merchant's own people read it. */
export default function MerchantStatement() {
  const { merchantId = '', month = '' } = useParams();
  const read = useRead(READ_STATEMENT, { params: { merchantId, month } });
  const fileOf = (path: string) => path.replace(':merchantId', merchantId).replace(':month', month);
  const name = read.data?.data.merchantName;
  return (
    <StatementPage
      month={month}
      read={read}
      summaryPath={fileOf(STATEMENT_SUMMARY_CSV.path)}
      csvPath={fileOf(STATEMENT_CSV.path)}
      all={
        <Link href={`/merchants/${merchantId}/statements`}>
          {name === undefined ? texts.theirs : texts.all(name)}
        </Link>
      }
    />
  );
}

import { EXPORT_STATEMENT, EXPORT_STATEMENT_SUMMARY, READ_STATEMENT } from '@munshi/api';
import { StatementPage, useRead } from '@munshi/web-ui';
import { Link, useParams } from 'wouter';

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
      summaryPath={fileOf(EXPORT_STATEMENT_SUMMARY.path)}
      csvPath={fileOf(EXPORT_STATEMENT.path)}
      all={
        <Link href={`/merchants/${merchantId}/money#statements`}>
          {name === undefined ? 'All of its statements' : `All statements of ${name}`}
        </Link>
      }
    />
  );
}

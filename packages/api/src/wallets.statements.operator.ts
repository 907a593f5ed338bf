import { operator } from './contract/operator.ts';
import { STATEMENTS } from './wallets.statements.ts';

/** Monthly statements of merchants' wallets. */

const { endpoint } = operator('Merchants');

export const LIST_STATEMENTS = endpoint('GET /merchants/:merchantId/statements', {
  summary: "List a merchant's monthly statements",
  ...STATEMENTS.list,
  needs: 'read',
});
export const READ_STATEMENT = endpoint('GET /merchants/:merchantId/statements/:month', {
  summary: 'Read the statement of a month',
  ...STATEMENTS.one,
  needs: 'read',
});
export const EXPORT_STATEMENT_SUMMARY = endpoint(
  'GET /merchants/:merchantId/statements/:month/summary.csv',
  { summary: 'The sums of a month as a CSV file', ...STATEMENTS.summary, needs: 'read' },
);
export const EXPORT_STATEMENT = endpoint(
  'GET /merchants/:merchantId/statements/:month/movements.csv',
  { summary: 'The movements of a month as a CSV file', ...STATEMENTS.file, needs: 'read' },
);

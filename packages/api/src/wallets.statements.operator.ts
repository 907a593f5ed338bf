import { endpoint } from './contract/operator.ts';
import { STATEMENTS } from './wallets.statements.ts';

/** Monthly statements of merchants' wallets. */

export const LIST_STATEMENTS = endpoint(
  'GET /merchants/:merchantId/statements',
  'Merchants',
  "List a merchant's monthly statements",
  { ...STATEMENTS.list, needs: 'read' },
);
export const READ_STATEMENT = endpoint(
  'GET /merchants/:merchantId/statements/:month',
  'Merchants',
  'Read the statement of a month',
  { ...STATEMENTS.one, needs: 'read' },
);
export const EXPORT_STATEMENT_SUMMARY = endpoint(
  'GET /merchants/:merchantId/statements/:month/summary.csv',
  'Merchants',
  'The sums of a month as a CSV file',
  { ...STATEMENTS.summary, needs: 'read' },
);
export const EXPORT_STATEMENT = endpoint(
  'GET /merchants/:merchantId/statements/:month/movements.csv',
  'Merchants',
  'The movements of a month as a CSV file',
  { ...STATEMENTS.file, needs: 'read' },
);

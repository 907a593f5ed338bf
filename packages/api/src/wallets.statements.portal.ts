import { portal } from './contract/portal.ts';
import { STATEMENTS } from './wallets.statements.ts';

/** Monthly statements of the merchant's wallet. */

const { endpoint } = portal('Money');

export const PORTAL_LIST_STATEMENTS = endpoint('GET /statements', {
  summary: 'List the monthly statements',
  ...STATEMENTS.list,
  needs: 'read',
});
export const PORTAL_READ_STATEMENT = endpoint('GET /statements/:month', {
  summary: 'Read the statement of a month',
  ...STATEMENTS.one,
  needs: 'read',
});
export const PORTAL_EXPORT_STATEMENT_SUMMARY = endpoint('GET /statements/:month/summary.csv', {
  summary: 'The sums of a month as a CSV file',
  ...STATEMENTS.summary,
  needs: 'read',
});
export const PORTAL_EXPORT_STATEMENT = endpoint('GET /statements/:month/movements.csv', {
  summary: 'The movements of a month as a CSV file',
  ...STATEMENTS.file,
  needs: 'read',
});

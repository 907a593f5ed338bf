import {
  EXPORT_STATEMENT,
  EXPORT_STATEMENT_SUMMARY,
  EXPORT_WALLET_MOVEMENTS,
  LIST_STATEMENTS,
  LIST_WALLET_MOVEMENTS,
  READ_BALANCE,
  READ_STATEMENT,
} from '@munshi/api';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind, bindCsv } from '../platform/http/bind.ts';
import {
  answerStatement,
  answerStatements,
  statementFile,
  summaryFile,
} from './statements.routes.ts';
import { answerBalance, answerMovements, movementsFile } from './wallet.routes.ts';

/** Merchants' balances and statements: what moved a wallet, with the balances after it. */
export function walletMovementRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, READ_BALANCE, ({ params, query }) => answerBalance(deps, params.merchantId, query));
  bind(face, LIST_WALLET_MOVEMENTS, ({ params, query }) =>
    answerMovements(deps, params.merchantId, query),
  );
  bindCsv(face, EXPORT_WALLET_MOVEMENTS, ({ params, query }) =>
    movementsFile(deps, params.merchantId, query),
  );

  bind(face, LIST_STATEMENTS, ({ params, query }) =>
    answerStatements(deps, params.merchantId, query),
  );
  bind(face, READ_STATEMENT, ({ params }) =>
    answerStatement(deps, params.merchantId, params.month),
  );
  bindCsv(face, EXPORT_STATEMENT_SUMMARY, ({ params }) =>
    summaryFile(deps, params.merchantId, params.month),
  );
  bindCsv(face, EXPORT_STATEMENT, ({ params }) =>
    statementFile(deps, params.merchantId, params.month),
  );
}

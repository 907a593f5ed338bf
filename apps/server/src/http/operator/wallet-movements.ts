import {
  LIST_STATEMENTS,
  LIST_WALLET_MOVEMENTS,
  READ_STATEMENT,
  STATEMENT_CSV,
  STATEMENT_SUMMARY_CSV,
  WALLET_MOVEMENTS_CSV,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { bind, bindFile } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { answerStatement, answerStatements, sendStatement, sendSummary } from '../statements.ts';
import { answerMovements, sendMovements } from '../wallet.ts';

/** Merchants' statements: what moved a wallet, with the balances after it. */
export function walletMovementRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, LIST_WALLET_MOVEMENTS, ({ params, query }) =>
    answerMovements(deps, params.merchantId, query),
  );
  bindFile(app, WALLET_MOVEMENTS_CSV, ({ params, query }, reply) =>
    sendMovements(reply, deps, params.merchantId, query),
  );

  bind(app, LIST_STATEMENTS, ({ params, query }) =>
    answerStatements(deps, params.merchantId, query),
  );
  bind(app, READ_STATEMENT, ({ params }) => answerStatement(deps, params.merchantId, params.month));
  bindFile(app, STATEMENT_SUMMARY_CSV, ({ params }, reply) =>
    sendSummary(reply, deps, params.merchantId, params.month),
  );
  bindFile(app, STATEMENT_CSV, ({ params }, reply) =>
    sendStatement(reply, deps, params.merchantId, params.month),
  );
}

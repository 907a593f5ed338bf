import {
  EXPORT_STATEMENT,
  EXPORT_STATEMENT_SUMMARY,
  EXPORT_WALLET_MOVEMENTS,
  LIST_STATEMENTS,
  LIST_WALLET_MOVEMENTS,
  READ_BALANCE,
  READ_STATEMENT,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { bind, bindFile } from '../platform/http/bind.ts';
import type { Deps } from '../platform/http/deps.ts';
import {
  answerStatement,
  answerStatements,
  sendStatement,
  sendSummary,
} from './statements.routes.ts';
import { answerBalance, answerMovements, sendMovements } from './wallet.routes.ts';

/** Merchants' balances and statements: what moved a wallet, with the balances after it. */
export function walletMovementRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, READ_BALANCE, ({ params, query }) => answerBalance(deps, params.merchantId, query));
  bind(app, LIST_WALLET_MOVEMENTS, ({ params, query }) =>
    answerMovements(deps, params.merchantId, query),
  );
  bindFile(app, EXPORT_WALLET_MOVEMENTS, ({ params, query }, reply) =>
    sendMovements(reply, deps, params.merchantId, query),
  );

  bind(app, LIST_STATEMENTS, ({ params, query }) =>
    answerStatements(deps, params.merchantId, query),
  );
  bind(app, READ_STATEMENT, ({ params }) => answerStatement(deps, params.merchantId, params.month));
  bindFile(app, EXPORT_STATEMENT_SUMMARY, ({ params }, reply) =>
    sendSummary(reply, deps, params.merchantId, params.month),
  );
  bindFile(app, EXPORT_STATEMENT, ({ params }, reply) =>
    sendStatement(reply, deps, params.merchantId, params.month),
  );
}

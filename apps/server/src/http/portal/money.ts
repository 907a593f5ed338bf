import {
  PORTAL_BALANCE,
  PORTAL_MOVEMENTS,
  PORTAL_MOVEMENTS_CSV,
  PORTAL_STATEMENT,
  PORTAL_STATEMENT_CSV,
  PORTAL_STATEMENT_SUMMARY_CSV,
  PORTAL_STATEMENTS,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { bind, bindFile } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { answerStatement, answerStatements, sendStatement, sendSummary } from '../statements.ts';
import { answerBalance, answerMovements, sendMovements } from '../wallet.ts';
import { merchantOf } from './merchant.ts';

/** The merchant's wallet: balance, movements and monthly statements. */
export function moneyRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, PORTAL_BALANCE, (request) => answerBalance(deps, merchantOf(request), request.query));
  bind(app, PORTAL_MOVEMENTS, (request) =>
    answerMovements(deps, merchantOf(request), request.query),
  );
  bindFile(app, PORTAL_MOVEMENTS_CSV, (request, reply) =>
    sendMovements(reply, deps, merchantOf(request), request.query),
  );

  bind(app, PORTAL_STATEMENTS, (request) =>
    answerStatements(deps, merchantOf(request), request.query),
  );
  bind(app, PORTAL_STATEMENT, (request) =>
    answerStatement(deps, merchantOf(request), request.params.month),
  );
  bindFile(app, PORTAL_STATEMENT_SUMMARY_CSV, (request, reply) =>
    sendSummary(reply, deps, merchantOf(request), request.params.month),
  );
  bindFile(app, PORTAL_STATEMENT_CSV, (request, reply) =>
    sendStatement(reply, deps, merchantOf(request), request.params.month),
  );
}

import {
  PORTAL_EXPORT_MOVEMENTS,
  PORTAL_EXPORT_STATEMENT,
  PORTAL_EXPORT_STATEMENT_SUMMARY,
  PORTAL_LIST_MOVEMENTS,
  PORTAL_LIST_STATEMENTS,
  PORTAL_READ_BALANCE,
  PORTAL_READ_STATEMENT,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { merchantOf } from '../people/access.portal.ts';
import { bind, bindFile } from '../platform/http/bind.ts';
import type { Deps } from '../platform/http/deps.ts';
import {
  answerStatement,
  answerStatements,
  sendStatement,
  sendSummary,
} from './statements.routes.ts';
import { answerBalance, answerMovements, sendMovements } from './wallet.routes.ts';

/** The merchant's wallet: balance, movements and monthly statements. */
export function moneyRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, PORTAL_READ_BALANCE, (request) =>
    answerBalance(deps, merchantOf(request), request.query),
  );
  bind(app, PORTAL_LIST_MOVEMENTS, (request) =>
    answerMovements(deps, merchantOf(request), request.query),
  );
  bindFile(app, PORTAL_EXPORT_MOVEMENTS, (request, reply) =>
    sendMovements(reply, deps, merchantOf(request), request.query),
  );

  bind(app, PORTAL_LIST_STATEMENTS, (request) =>
    answerStatements(deps, merchantOf(request), request.query),
  );
  bind(app, PORTAL_READ_STATEMENT, (request) =>
    answerStatement(deps, merchantOf(request), request.params.month),
  );
  bindFile(app, PORTAL_EXPORT_STATEMENT_SUMMARY, (request, reply) =>
    sendSummary(reply, deps, merchantOf(request), request.params.month),
  );
  bindFile(app, PORTAL_EXPORT_STATEMENT, (request, reply) =>
    sendStatement(reply, deps, merchantOf(request), request.params.month),
  );
}

import {
  PORTAL_EXPORT_MOVEMENTS,
  PORTAL_EXPORT_STATEMENT,
  PORTAL_EXPORT_STATEMENT_SUMMARY,
  PORTAL_LIST_MOVEMENTS,
  PORTAL_LIST_STATEMENTS,
  PORTAL_READ_BALANCE,
  PORTAL_READ_STATEMENT,
} from '@munshi/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { merchantOf } from '../people/access.portal.ts';
import { readingAs } from '../platform/database/limited.ts';
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
  const ownOf = (request: FastifyRequest) => {
    const merchantId = merchantOf(request);
    return [readingAs(deps, merchantId), merchantId] as const;
  };

  bind(app, PORTAL_READ_BALANCE, (request) => answerBalance(...ownOf(request), request.query));
  bind(app, PORTAL_LIST_MOVEMENTS, (request) => answerMovements(...ownOf(request), request.query));
  bindFile(app, PORTAL_EXPORT_MOVEMENTS, (request, reply) =>
    sendMovements(reply, ...ownOf(request), request.query),
  );

  bind(app, PORTAL_LIST_STATEMENTS, (request) =>
    answerStatements(...ownOf(request), request.query),
  );
  bind(app, PORTAL_READ_STATEMENT, (request) =>
    answerStatement(...ownOf(request), request.params.month),
  );
  bindFile(app, PORTAL_EXPORT_STATEMENT_SUMMARY, (request, reply) =>
    sendSummary(reply, ...ownOf(request), request.params.month),
  );
  bindFile(app, PORTAL_EXPORT_STATEMENT, (request, reply) =>
    sendStatement(reply, ...ownOf(request), request.params.month),
  );
}

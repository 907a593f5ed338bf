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
import type { Deps } from '../people/deps.ts';
import { readingAs } from '../platform/database/limited.ts';
import { bind, bindCsv } from '../platform/http/bind.ts';
import {
  answerStatement,
  answerStatements,
  statementFile,
  summaryFile,
} from './statements.routes.ts';
import { answerBalance, answerMovements, movementsFile } from './wallet.routes.ts';

/** The merchant's wallet: balance, movements and monthly statements. */
export function moneyRoutes(app: FastifyInstance, deps: Deps): void {
  const ownOf = (request: FastifyRequest) => {
    const merchantId = merchantOf(request);
    return [readingAs(deps, merchantId), merchantId] as const;
  };

  bind(app, PORTAL_READ_BALANCE, (request) => answerBalance(...ownOf(request), request.query));
  bind(app, PORTAL_LIST_MOVEMENTS, (request) => answerMovements(...ownOf(request), request.query));
  bindCsv(app, PORTAL_EXPORT_MOVEMENTS, (request) =>
    movementsFile(...ownOf(request), request.query),
  );

  bind(app, PORTAL_LIST_STATEMENTS, (request) =>
    answerStatements(...ownOf(request), request.query),
  );
  bind(app, PORTAL_READ_STATEMENT, (request) =>
    answerStatement(...ownOf(request), request.params.month),
  );
  bindCsv(app, PORTAL_EXPORT_STATEMENT_SUMMARY, (request) =>
    summaryFile(...ownOf(request), request.params.month),
  );
  bindCsv(app, PORTAL_EXPORT_STATEMENT, (request) =>
    statementFile(...ownOf(request), request.params.month),
  );
}

import {
  PORTAL_EXPORT_MOVEMENTS,
  PORTAL_EXPORT_STATEMENT,
  PORTAL_EXPORT_STATEMENT_SUMMARY,
  PORTAL_LIST_MOVEMENTS,
  PORTAL_LIST_STATEMENTS,
  PORTAL_READ_BALANCE,
  PORTAL_READ_STATEMENT,
} from '@munshi/api';
import { merchantOf, type PortalCaller, type PortalFace } from '../people/access.portal.ts';
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
export function moneyRoutes(face: PortalFace, deps: Deps): void {
  const ownOf = (caller: PortalCaller) => {
    const merchantId = merchantOf(caller);
    return [readingAs(deps, merchantId), merchantId] as const;
  };

  bind(face, PORTAL_READ_BALANCE, (request, caller) =>
    answerBalance(...ownOf(caller), request.query),
  );
  bind(face, PORTAL_LIST_MOVEMENTS, (request, caller) =>
    answerMovements(...ownOf(caller), request.query),
  );
  bindCsv(face, PORTAL_EXPORT_MOVEMENTS, (request, caller) =>
    movementsFile(...ownOf(caller), request.query),
  );

  bind(face, PORTAL_LIST_STATEMENTS, (request, caller) =>
    answerStatements(...ownOf(caller), request.query),
  );
  bind(face, PORTAL_READ_STATEMENT, (request, caller) =>
    answerStatement(...ownOf(caller), request.params.month),
  );
  bindCsv(face, PORTAL_EXPORT_STATEMENT_SUMMARY, (request, caller) =>
    summaryFile(...ownOf(caller), request.params.month),
  );
  bindCsv(face, PORTAL_EXPORT_STATEMENT, (request, caller) =>
    statementFile(...ownOf(caller), request.params.month),
  );
}

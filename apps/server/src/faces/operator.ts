import type { FastifyInstance } from 'fastify';
import { apiKeyRoutes } from '../api-keys/routes.operator.ts';
import { approvalRoutes } from '../approvals/routes.operator.ts';
import { auditLogRoutes } from '../audit/routes.operator.ts';
import { bookRoutes } from '../books/routes.operator.ts';
import { pagePreviewRoute } from '../checkout/preview.routes.operator.ts';
import { closingRoutes } from '../closings/routes.operator.ts';
import { deliveryListRoutes } from '../deliveries/lists.routes.operator.ts';
import { receiverRoutes } from '../deliveries/receivers.routes.operator.ts';
import { deliveryRoutes } from '../deliveries/routes.operator.ts';
import { bindWrite } from '../door/door.ts';
import { announceWrites, eventRoute } from '../events/routes.operator.ts';
import { evidenceRoutes } from '../evidence/routes.operator.ts';
import { exchangeRateRoutes } from '../fees/rates.routes.operator.ts';
import { feeRuleRoutes } from '../fees/routes.operator.ts';
import { lateClaimRoutes } from '../late-claims/routes.operator.ts';
import { alertChannelRoutes } from '../member-alerts/channels.routes.operator.ts';
import { memberAccountRoutes, memberRoutes } from '../members/routes.operator.ts';
import { memberStandingRoutes } from '../members/standing.routes.operator.ts';
import { merchantAlertRoutes } from '../merchant-alerts/routes.operator.ts';
import { merchantRoutes } from '../merchants/routes.operator.ts';
import { overviewRoutes } from '../now/overview.routes.operator.ts';
import { queueRoutes } from '../now/queues.routes.operator.ts';
import { setUpRoutes } from '../now/set-up.routes.operator.ts';
import { oneTimeCodeRoutes } from '../operators/one-time-codes.routes.operator.ts';
import { operatorRoutes, operatorTokenRoutes } from '../operators/routes.operator.ts';
import { operatorSessions, sessionRoutes } from '../operators/session.routes.operator.ts';
import { orderActionRoutes } from '../order-desk/actions.routes.operator.ts';
import { orderClaimRoutes } from '../order-desk/claims.routes.operator.ts';
import { orderRoutes } from '../order-desk/routes.operator.ts';
import { candidateRoutes } from '../orders/candidates.routes.operator.ts';
import { guardRoutes } from '../people/access.operator.ts';
import { createSessions } from '../people/session.http.ts';
import { useJson } from '../platform/http/json.ts';
import { merchantOverviewRoute } from '../portal-home/routes.operator.ts';
import { portalUserRoutes } from '../portal-people/routes.operator.ts';
import { reportRoutes } from '../reports/routes.operator.ts';
import { testOrderRoute } from '../sandbox/routes.operator.ts';
import { savedViewRoutes } from '../saved-views/routes.operator.ts';
import { clockRoutes, settingRoutes } from '../settings/routes.operator.ts';
import { adjustmentRoutes } from '../wallets/adjustments.routes.operator.ts';
import { walletMovementRoutes } from '../wallets/movements.routes.operator.ts';
import { actOnce } from '../writes/request-keys.ts';
import type { FaceDeps } from './deps.ts';
import { operatorFaceWrites } from './operator-writes.ts';

/**
 * The operator face: `/api/operator/…`. Every endpoint declares its role, who decides and what it
 * leaves in the audit log.
 */
export async function operatorFace(app: FastifyInstance, deps: FaceDeps): Promise<void> {
  useJson(app);
  const sessions = await createSessions(app, deps, operatorSessions(deps));
  const face = guardRoutes(app, deps, sessions);
  actOnce(app, deps, (request) => ({
    callerKind: 'operator',
    callerId: face.callerOf(request).id,
  }));
  announceWrites(face, deps);
  const writes = operatorFaceWrites(deps, sessions);
  for (const write of writes) bindWrite(face, write);
  sessionRoutes(face, deps, sessions);
  eventRoute(face, deps);
  oneTimeCodeRoutes(face, deps, sessions);
  operatorRoutes(face, deps);
  operatorTokenRoutes(face, deps);
  merchantRoutes(face, deps);
  merchantOverviewRoute(face, deps);
  merchantAlertRoutes(face, deps);
  walletMovementRoutes(face, deps);
  reportRoutes(face, deps);
  closingRoutes(face, deps);
  pagePreviewRoute(face, deps);
  portalUserRoutes(face, deps);
  apiKeyRoutes(face, deps);
  adjustmentRoutes(face, deps);
  feeRuleRoutes(face, deps);
  exchangeRateRoutes(face, deps);
  memberRoutes(face, deps);
  memberStandingRoutes(face, deps);
  memberAccountRoutes(face, deps);
  orderRoutes(face, deps);
  orderActionRoutes(face, deps);
  orderClaimRoutes(face, deps);
  evidenceRoutes(face, deps);
  candidateRoutes(face, deps);
  queueRoutes(face, deps);
  overviewRoutes(face, deps);
  setUpRoutes(face, deps);
  testOrderRoute(face, deps);
  lateClaimRoutes(face, deps);
  deliveryRoutes(face, deps);
  deliveryListRoutes(face, deps);
  receiverRoutes(face, deps);
  savedViewRoutes(face, deps);
  settingRoutes(face, deps);
  alertChannelRoutes(face, deps);
  clockRoutes(face, deps);
  auditLogRoutes(face, deps);
  bookRoutes(face, deps);
  approvalRoutes(face, { ...deps, writes });
}

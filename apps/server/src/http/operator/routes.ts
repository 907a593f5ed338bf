import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { useJson } from '../json.ts';
import { actOnce } from '../request-keys.ts';
import { createSessions } from '../session.ts';
import { guardRoutes } from './access.ts';
import { adjustmentRoutes } from './adjustments.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { approvalRoutes } from './approvals.ts';
import { auditLogRoutes } from './audit-log.ts';
import { candidateRoutes } from './candidates.ts';
import { deliveryRoutes } from './deliveries.ts';
import { deliveryListRoutes } from './delivery-lists.ts';
import { announceWrites, eventRoute } from './events.ts';
import { evidenceRoutes } from './evidence.ts';
import { exchangeRateRoutes } from './exchange-rates.ts';
import { feeRuleRoutes } from './fee-rules.ts';
import { lateClaimRoutes } from './late-claims.ts';
import { memberStandingRoutes } from './member-standing.ts';
import { memberAccountRoutes, memberRoutes } from './members.ts';
import { merchantRoutes } from './merchants.ts';
import { oneTimeCodeRoutes } from './one-time-codes.ts';
import { operatorRoutes, operatorTokenRoutes } from './operators.ts';
import { orderActionRoutes } from './order-actions.ts';
import { orderClaimRoutes } from './order-claims.ts';
import { orderRoutes } from './orders.ts';
import { overviewRoutes } from './overview.ts';
import { pagePreviewRoute } from './page-preview.ts';
import { queueRoutes } from './queues.ts';
import { sandboxRoutes } from './sandbox.ts';
import { savedViewRoutes } from './saved-views.ts';
import { operatorSessions, sessionRoutes } from './session.ts';
import { clockRoutes, settingRoutes } from './settings.ts';
import { walletMovementRoutes } from './wallet-movements.ts';
import { webhookRoutes } from './webhooks.ts';

/**
 * The operator face: `/api/operator/…`. Every route has a role in access.ts, every write an entry
 * in the audit log.
 */
export async function operatorFace(app: FastifyInstance, deps: Deps): Promise<void> {
  useJson(app);
  const sessions = await createSessions(app, deps, operatorSessions(deps));
  guardRoutes(app, deps, sessions);
  actOnce(app, deps, ({ operator }) => ({ callerKind: 'operator', callerId: operator.operatorId }));
  announceWrites(app, deps);
  sessionRoutes(app, deps, sessions);
  eventRoute(app, deps);
  oneTimeCodeRoutes(app, deps, sessions);
  operatorRoutes(app, deps);
  operatorTokenRoutes(app, deps);
  merchantRoutes(app, deps);
  walletMovementRoutes(app, deps);
  pagePreviewRoute(app, deps);
  apiKeyRoutes(app, deps);
  adjustmentRoutes(app, deps);
  feeRuleRoutes(app, deps);
  exchangeRateRoutes(app, deps);
  memberRoutes(app, deps);
  memberStandingRoutes(app, deps);
  memberAccountRoutes(app, deps);
  orderRoutes(app, deps);
  orderActionRoutes(app, deps);
  orderClaimRoutes(app, deps);
  evidenceRoutes(app, deps);
  candidateRoutes(app, deps);
  queueRoutes(app, deps);
  overviewRoutes(app, deps);
  lateClaimRoutes(app, deps);
  deliveryRoutes(app, deps);
  deliveryListRoutes(app, deps);
  webhookRoutes(app, deps);
  savedViewRoutes(app, deps);
  settingRoutes(app, deps);
  clockRoutes(app, deps);
  sandboxRoutes(app, deps);
  auditLogRoutes(app, deps);
  approvalRoutes(app, deps);
}

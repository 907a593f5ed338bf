import { timingSafeEqual } from 'node:crypto';
import { PREVIEW } from '@munshi/api';
import { type Actor, type AskingOperator, includesRole, type OperatorRole } from '@munshi/core';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { OperatorToken } from '../../config.ts';
import { FieldErrors, Refused } from '../../services/refusals.ts';
import { hashToken, type Session } from '../../services/sessions.ts';
import type { OperatorCaller } from '../../services/write.ts';
import type { OperatorPrincipal } from '../../storage/people/sessions.ts';
import { createCallerAddress } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { isPreview } from '../preview.ts';
import { bearerToken, type Sessions } from '../session.ts';

/**
 * The least role that each route asks for; `anyone` needs no session. A route that is not here does
 * not start.
 */
export const ROUTE_ROLES: Readonly<Record<string, OperatorRole | 'anyone'>> = {
  'POST /session': 'anyone',
  'GET /session': 'viewer',
  'DELETE /session': 'viewer',
  'POST /password': 'viewer',
  'GET /sessions': 'viewer',
  'DELETE /sessions': 'viewer',
  'DELETE /sessions/:sessionId': 'viewer',
  'GET /one-time-code': 'viewer',
  'POST /one-time-code': 'viewer',
  'POST /one-time-code/confirm': 'viewer',
  'POST /one-time-code/recovery-codes': 'viewer',
  'POST /one-time-code/turn-off': 'viewer',
  'POST /recovery/read': 'anyone',
  'POST /recovery': 'anyone',
  'GET /events': 'viewer',
  'GET /operators': 'admin',
  'POST /operators': 'admin',
  'PATCH /operators/:operatorId': 'admin',
  'POST /operators/:operatorId/recovery-link': 'admin',
  'DELETE /operators/:operatorId/one-time-code': 'admin',
  'GET /operators/:operatorId/tokens': 'admin',
  'POST /operators/:operatorId/tokens': 'admin',
  'DELETE /operators/:operatorId/tokens': 'admin',
  'DELETE /operators/:operatorId/tokens/:tokenId': 'admin',
  'GET /merchants': 'viewer',
  'POST /merchants': 'admin',
  'GET /merchants/:merchantId': 'viewer',
  'PATCH /merchants/:merchantId': 'admin',
  'GET /merchants/:merchantId/alert-settings': 'viewer',
  'PATCH /merchants/:merchantId/alert-settings': 'admin',
  'POST /merchants/:merchantId/own-keys': 'admin',
  'POST /merchants/:merchantId/page-preview': 'viewer',
  'POST /merchants/:merchantId/address-test': 'viewer',
  'GET /merchants/:merchantId/api-keys': 'viewer',
  'POST /merchants/:merchantId/api-keys': 'admin',
  'POST /merchants/:merchantId/api-keys/regenerate': 'admin',
  'DELETE /merchants/:merchantId/api-keys/:keyId': 'admin',
  'GET /merchants/:merchantId/portal-users': 'viewer',
  'POST /merchants/:merchantId/portal-users': 'admin',
  'POST /merchants/:merchantId/portal-users/invite': 'admin',
  'PATCH /portal-users/:portalUserId': 'admin',
  'POST /portal-users/:portalUserId/recovery-link': 'admin',
  'DELETE /portal-users/:portalUserId/invitation': 'admin',
  'DELETE /portal-users/:portalUserId/sessions': 'admin',
  'GET /merchants/:merchantId/balance': 'viewer',
  'GET /merchants/:merchantId/movements': 'viewer',
  'GET /merchants/:merchantId/movements.csv': 'viewer',
  'GET /merchants/:merchantId/statements': 'viewer',
  'GET /merchants/:merchantId/statements/:month': 'viewer',
  'GET /merchants/:merchantId/statements/:month/summary.csv': 'viewer',
  'GET /merchants/:merchantId/statements/:month/movements.csv': 'viewer',
  'POST /merchants/:merchantId/adjustments': 'admin',
  'GET /adjustments': 'viewer',
  'POST /adjustments/:adjustmentId/approve': 'admin',
  'GET /fee-rules': 'viewer',
  'GET /fee-rules/quote': 'viewer',
  'POST /fee-rules': 'admin',
  'DELETE /fee-rules/:feeRuleId': 'admin',
  'GET /exchange-rates': 'viewer',
  'GET /exchange-rates/history': 'viewer',
  'POST /exchange-rates': 'admin',
  'GET /members': 'viewer',
  'POST /members': 'admin',
  'GET /members/:memberId': 'viewer',
  'GET /members/:memberId/standing': 'viewer',
  'GET /members/:memberId/alerts': 'viewer',
  'GET /members/:memberId/movements': 'viewer',
  'GET /members/:memberId/movements.csv': 'viewer',
  'DELETE /members/:memberId/sessions': 'admin',
  'DELETE /members/:memberId/sessions/:sessionId': 'admin',
  'PATCH /members/:memberId': 'admin',
  'POST /members/:memberId/recovery-link': 'admin',
  'POST /members/:memberId/accounts': 'admin',
  'POST /members/:memberId/float-adjustments': 'admin',
  'PATCH /member-accounts/:accountId': 'admin',
  'POST /member-accounts/:accountId/approve': 'admin',
  'POST /member-accounts/:accountId/suspend': 'admin',
  'GET /orders': 'viewer',
  'GET /orders/count': 'viewer',
  'GET /orders.csv': 'viewer',
  'GET /orders/:orderId': 'viewer',
  'POST /orders/:orderId/reveal': 'support',
  'GET /orders/:orderId/evidence/:evidenceId': 'support',
  'POST /orders/:orderId/claim': 'support',
  'POST /orders/:orderId/unclaim': 'support',
  'POST /orders/:orderId/resolve': 'support',
  'POST /orders/:orderId/confirm': 'support',
  'POST /orders/:orderId/confirm/approve': 'support',
  'POST /orders/:orderId/cancel': 'support',
  'POST /orders/:orderId/escalate': 'support',
  'GET /orders/:orderId/candidates': 'viewer',
  'GET /overview': 'viewer',
  'GET /queues': 'viewer',
  'GET /queues/orders': 'viewer',
  'GET /late-claims': 'viewer',
  'GET /late-claims/:claimId/candidates': 'viewer',
  'POST /late-claims/:claimId/take': 'support',
  'POST /late-claims/:claimId/close': 'support',
  'GET /orders/:orderId/deliveries': 'viewer',
  'POST /orders/:orderId/deliveries/retry-now': 'support',
  'POST /orders/:orderId/deliveries/resend': 'support',
  'GET /webhooks/health': 'viewer',
  'GET /webhooks/alerts': 'viewer',
  'GET /webhooks/endpoints': 'viewer',
  'GET /reports/merchants': 'viewer',
  'GET /reports/merchants.csv': 'viewer',
  'GET /reports/members': 'viewer',
  'GET /reports/members.csv': 'viewer',
  'GET /reports/trial-balance': 'viewer',
  'GET /webhooks/replay': 'viewer',
  'GET /deliveries': 'viewer',
  'GET /deliveries/:deliveryId': 'viewer',
  'POST /webhooks/replay': 'admin',
  'POST /merchants/:merchantId/webhooks/test': 'admin',
  'GET /views': 'viewer',
  'POST /views': 'viewer',
  'PATCH /views/:viewId': 'viewer',
  'DELETE /views/:viewId': 'viewer',
  'GET /settings': 'viewer',
  'GET /alert-channels': 'admin',
  'POST /alert-channels': 'admin',
  'POST /alert-channels/remove': 'admin',
  'POST /alert-channels/test': 'admin',
  'PATCH /settings': 'admin',
  'GET /clock': 'viewer',
  'POST /clock/advance': 'admin',
  'POST /sandbox/orders': 'admin',
  'GET /sandbox/orders/:orderId': 'admin',
  'POST /sandbox/orders/:orderId/customer': 'admin',
  'POST /sandbox/orders/:orderId/member': 'admin',
  'POST /sandbox/members/:memberId/presence': 'admin',
  'GET /audit-log': 'viewer',
  'GET /audit-log.csv': 'viewer',
  'GET /audit-log/chain': 'viewer',
  'GET /books': 'viewer',
  'GET /approvals': 'viewer',
  'GET /approvals/:approvalId': 'viewer',
  'POST /approvals/:approvalId/approve': 'support',
  'POST /approvals/:approvalId/decline': 'support',
  'POST /approvals/:approvalId/fetch': 'admin',
};

/** All that an admin may do who has to set up one-time codes first. */
const BEFORE_CODES: ReadonlySet<string> = new Set([
  'GET /session',
  'DELETE /session',
  'POST /password',
  'GET /one-time-code',
  'POST /one-time-code',
  'POST /one-time-code/confirm',
]);

/** Whoever acts, as moves and the audit log name them. */
export interface Operator extends OperatorPrincipal {
  readonly actor: Actor & { readonly kind: 'operator' };
  /** Undefined for the tokens of the environment, which need no session. */
  readonly session: Session<OperatorPrincipal> | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the face's hook on every route that is not for anyone. */
    operator: Operator;
  }
}

/** Whoever asks, as the rules of what is allowed know them. */
export const askingOperator = ({ operatorId, role }: Operator): AskingOperator => ({
  id: operatorId,
  role,
});

/** The caller of a write, as services know them. */
export const callerOf = ({ operator, once, boundKey, query }: FastifyRequest): OperatorCaller => ({
  actor: operator.actor,
  once,
  boundKey,
  preview: isPreview(query),
});

/**
 * Has every route of the scope know its operator and hold the table of roles. Call it before the
 * routes.
 */
export function guardRoutes(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<OperatorPrincipal>,
): void {
  const callerAddress = createCallerAddress(deps.trustedProxies);
  const fromEnvironment = environmentOperators(deps.operatorTokens);

  app.decorateRequest('operator', null as unknown as Operator);
  app.addHook('onRoute', (route) => {
    const needed = roleOf(route, app.prefix);
    if (needed === 'anyone') return;
    if (querystringOf(route) !== PREVIEW)
      route.preValidation = [refusePreview, ...[route.preValidation ?? []].flat()];
    route.onRequest = [
      (request: FastifyRequest) => admit(request, needed, isBeforeCodes(route, app.prefix)),
      ...[route.onRequest ?? []].flat(),
    ];
  });

  async function admit(request: FastifyRequest, needed: OperatorRole, beforeCodes: boolean) {
    const { principal, session } = await identify(request);
    if (principal.mustSetUpCode && !beforeCodes)
      throw new Refused(
        'one-time-code-set-up',
        'Admins need a one-time code here. Set yours up first: POST /one-time-code.',
      );
    if (!includesRole(principal.role, needed))
      throw new Refused(
        'role-too-low',
        `This needs the role ${needed}; you have ${principal.role}.`,
      );
    const { operatorId, name } = principal;
    request.operator = {
      ...principal,
      actor: { kind: 'operator', id: operatorId, name, address: callerAddress(request.raw) },
      session,
    };
  }

  async function identify(request: FastifyRequest) {
    const principal = fromEnvironment(bearerToken(request));
    if (principal !== undefined) return { principal, session: undefined };
    const session = await sessions.authenticate(request);
    return { principal: session.principal, session };
  }
}

const querystringOf = ({ schema }: Pick<RouteOptions, 'schema'>) =>
  (schema as { readonly querystring?: unknown } | undefined)?.querystring;

/** What would be done all the same is not taken for a preview. */
async function refusePreview({ method, query }: FastifyRequest) {
  if (method === 'GET' || method === 'HEAD' || !Object.hasOwn(query as object, 'preview')) return;
  throw new FieldErrors({ preview: ['is not known here: this write cannot be previewed.'] });
}

type Route = Pick<RouteOptions, 'method' | 'url'>;

const nameOf = ({ method, url }: Route, prefix: string) =>
  `${String(method) === 'HEAD' ? 'GET' : String(method)} ${url.slice(prefix.length)}`;

const isBeforeCodes = (route: Route, prefix: string) => BEFORE_CODES.has(nameOf(route, prefix));

function roleOf(route: Route, prefix: string): OperatorRole | 'anyone' {
  const name = nameOf(route, prefix);
  const role = ROUTE_ROLES[name];
  if (role === undefined) throw new Error(`the operator route ${name} has no role`);
  return role;
}

/** `OPERATOR_TOKEN` and `OPERATOR_TOKEN_2`: each an operator of its own, with every right. */
function environmentOperators(tokens: readonly OperatorToken[]) {
  const known = tokens.map(({ setting, operatorId, token }) => ({
    hash: Buffer.from(hashToken(token), 'hex'),
    principal: {
      operatorId,
      username: operatorId,
      name: setting,
      role: 'admin' as const,
      mustSetUpCode: false,
    },
  }));
  return (token: string | undefined): OperatorPrincipal | undefined => {
    if (token === undefined) return undefined;
    const hash = Buffer.from(hashToken(token), 'hex');
    return known.find((one) => timingSafeEqual(one.hash, hash))?.principal;
  };
}

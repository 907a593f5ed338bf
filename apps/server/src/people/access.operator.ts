import { timingSafeEqual } from 'node:crypto';
import {
  CHANGE_OWN_PASSWORD,
  CONFIRM_CODE,
  type Endpoint,
  type Needs,
  READ_CODE_STATE,
  SET_UP_CODE,
  SIGN_OUT,
  WHO_AM_I,
} from '@munshi/api';
import { type AskingOperator, OPERATORS_MAY, type OperatorCapability } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OperatorToken } from '../platform/config.ts';
import { endpointOf, type Face } from '../platform/http/bind.ts';
import { createCallerAddress } from '../platform/http/caller.ts';
import { isPreview } from '../platform/http/preview.ts';
import { FieldErrors, Refused } from '../platform/refusals.ts';
import { keyOf } from '../writes/request-keys.ts';
import type { OperatorCaller } from '../writes/write.ts';
import type { Deps } from './deps.ts';
import { bearerToken, type Sessions } from './session.http.ts';
import { hashToken, type Session } from './sessions.service.ts';
import type { OperatorPrincipal } from './sessions.store.ts';

/** All that an admin may do who has to set up one-time codes first. */
const BEFORE_CODES: ReadonlySet<Endpoint> = new Set([
  WHO_AM_I,
  SIGN_OUT,
  CHANGE_OWN_PASSWORD,
  READ_CODE_STATE,
  SET_UP_CODE,
  CONFIRM_CODE,
]);

/** The operator who acts, as rules, moves and the audit log know them. */
export interface Operator extends OperatorPrincipal, OperatorCaller {
  /** Undefined for the tokens of the environment, which need no session. */
  readonly session: Session<OperatorPrincipal> | undefined;
}

export type OperatorFace = Face<Operator>;

/** A request on a route that is not for anyone. */
interface Admitted extends FastifyRequest {
  operator: Omit<Operator, 'once' | 'boundKey' | 'preview'>;
}

/**
 * Has every route of the scope know its operator, who may do what its endpoint needs. Call
 * it before the routes.
 */
export function guardRoutes(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<OperatorPrincipal>,
): OperatorFace {
  const callerAddress = createCallerAddress(deps.trustedProxies);
  const fromEnvironment = environmentOperators(deps.operatorTokens);

  app.decorateRequest('operator', null);
  app.addHook('onRoute', (route) => {
    const endpoint = endpointOf('operator', route);
    const { needs, preview } = endpoint;
    if (needs === 'anyone') return;
    if (!preview) route.preValidation = [refusePreview, ...[route.preValidation ?? []].flat()];
    route.onRequest = [
      (request: FastifyRequest) => admit(request, needs, BEFORE_CODES.has(endpoint)),
      ...[route.onRequest ?? []].flat(),
    ];
  });

  async function admit(request: FastifyRequest, needed: OperatorCapability, beforeCodes: boolean) {
    const { principal, session } = await identify(request);
    if (principal.mustSetUpCode && !beforeCodes)
      throw new Refused(
        'one-time-code-set-up',
        'Admins need a one-time code here. Set yours up first: POST /one-time-code.',
      );
    requireCapability(principal, needed);
    const { id, name } = principal;
    (request as Admitted).operator = {
      ...principal,
      actor: { kind: 'operator', id, name, address: callerAddress(request.raw) },
      session,
    };
  }

  async function identify(request: FastifyRequest) {
    const principal = fromEnvironment(bearerToken(request));
    if (principal !== undefined) return { principal, session: undefined };
    const session = await sessions.authenticate(request);
    return { principal: session.principal, session };
  }

  return {
    app,
    callerOf: (request) => ({
      ...(request as Admitted).operator,
      ...keyOf(request),
      preview: isPreview(request.query),
    }),
  };
}

/** What would be done all the same is not taken for a preview. */
async function refusePreview({ method, query }: FastifyRequest) {
  if (method === 'GET' || method === 'HEAD' || !Object.hasOwn(query as object, 'preview')) return;
  throw new FieldErrors({ preview: ['is not known here: this write cannot be previewed.'] });
}

/** Throws `role-too-low`. */
export function requireCapability(
  { capabilities, role }: OperatorPrincipal,
  needed: OperatorCapability,
): void {
  if (!capabilities.has(needed))
    throw new Refused('role-too-low', OPERATORS_MAY.refusal(role, needed));
}

/** Whether an operator may ask an endpoint. */
export const mayAsk = (
  { capabilities }: Pick<AskingOperator, 'capabilities'>,
  { needs }: { readonly needs: Needs['operator'] },
): boolean => needs === 'anyone' || capabilities.has(needs);

/** `OPERATOR_TOKEN` and `OPERATOR_TOKEN_2`, from the server: each an approver of its own. */
function environmentOperators(tokens: readonly OperatorToken[]) {
  const known = tokens.map(({ setting, operatorId, token }) => ({
    hash: Buffer.from(hashToken(token), 'hex'),
    principal: {
      id: operatorId,
      username: operatorId,
      name: setting,
      role: 'approver' as const,
      capabilities: OPERATORS_MAY.of('approver'),
      mustSetUpCode: false,
    },
  }));
  return (token: string | undefined): OperatorPrincipal | undefined => {
    if (token === undefined) return undefined;
    const hash = Buffer.from(hashToken(token), 'hex');
    return known.find((one) => timingSafeEqual(one.hash, hash))?.principal;
  };
}

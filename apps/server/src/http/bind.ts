import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '@munshi/api';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { JSON_TYPE } from './errors.ts';

export type RequestTo<E extends Endpoint> = FastifyRequest<{
  Params: ParamsOf<E>;
  Querystring: QueryOf<E>;
  Body: BodyOf<E>;
}>;

/**
 * Serves an endpoint: `handler` answers the body of 200, as the endpoint declares it, and throws
 * Refused or FieldErrors for everything else.
 */
export function bind<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (request: RequestTo<E>, reply: FastifyReply) => Promise<AnswerOf<E>>,
  options: RouteShorthandOptions = {},
): void {
  app.route({
    ...options,
    method: endpoint.method,
    url: endpoint.path,
    schema: endpoint as object,
    handler: async (request, reply) => {
      const answer = await handler(request as RequestTo<E>, reply);
      return reply.type(JSON_TYPE).send(answer);
    },
  });
}

/** Serves an endpoint that answers a file, which `send` sends; it throws as a handler does. */
export function bindFile<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  send: (request: RequestTo<E>, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: endpoint as object,
    handler: (request, reply) => send(request as RequestTo<E>, reply),
  });
}

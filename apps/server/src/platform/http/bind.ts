import type {
  AnswerOf,
  BodyOf,
  Endpoint,
  FaceName,
  FileForm,
  Given,
  Needs,
  ParamsOf,
  QueryOf,
} from '@munshi/api';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
  RouteShorthandOptions,
} from 'fastify';
import { answerWriter } from './answer.ts';
import { type Csv, sendCsv } from './csv.ts';
import { JSON_TYPE } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route serves. */
    endpoint?: Endpoint;
  }
}

export type RequestTo<E extends Endpoint> = FastifyRequest<{
  Params: ParamsOf<E>;
  Querystring: QueryOf<E>;
  Body: BodyOf<E>;
}>;

/** An endpoint that several faces have. */
export type OnAnyFace<E extends Endpoint> = Omit<E, 'face' | 'needs'> &
  Pick<Endpoint, 'face' | 'needs'>;

/**
 * Serves an endpoint: `handler` answers the body of 200, as the endpoint declares it, and throws
 * Refused or FieldErrors for everything else.
 */
export function bind<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (request: RequestTo<E>, reply: FastifyReply) => Promise<Given<AnswerOf<E>>>,
  options: RouteShorthandOptions = {},
): void {
  const write = answerWriter(endpoint.answer);
  app.route({
    ...options,
    ...routeOf(endpoint, options),
    handler: async (request, reply) => {
      const answer = await handler(request as RequestTo<E>, reply);
      return reply.type(JSON_TYPE).send(write(answer));
    },
  });
}

/** As `preValidation`: every field of the body may be left out, and the body with them. */
export const withoutBody = async (request: FastifyRequest): Promise<void> => {
  request.body ??= {};
};

/** Serves an endpoint that answers a file, which `send` sends; it throws as a handler does. */
export function bindFile<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  send: (request: RequestTo<E>, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.route({
    ...routeOf(endpoint),
    handler: (request, reply) => send(request as RequestTo<E>, reply),
  });
}

/** Serves an endpoint that answers a list as CSV, in the form that its request asks for. */
export function bindCsv<E extends Endpoint, Row>(
  app: FastifyInstance,
  endpoint: E,
  read: (request: RequestTo<E>) => Csv<Row> | Promise<Csv<Row>>,
): void {
  bindFile(app, endpoint, async (request, reply) => {
    const { format, ...query } = request.query as { readonly format?: FileForm };
    return sendCsv(reply, await read(Object.assign(request, { query })), format);
  });
}

/** The route of an endpoint, as Fastify wants it. */
export const routeOf = (
  endpoint: Endpoint,
  { config }: Pick<RouteShorthandOptions, 'config'> = {},
) => ({
  method: endpoint.method,
  url: endpoint.path,
  schema: endpoint as object,
  config: { ...config, endpoint },
});

/** The endpoint of a route. Throws for a route of the face that declares none. */
export function endpointOf<Face extends FaceName>(
  face: Face,
  { method, url, config }: Pick<RouteOptions, 'method' | 'url' | 'config'>,
): Endpoint & { readonly needs: Needs[Face] } {
  const endpoint = config?.endpoint;
  if (endpoint?.face !== face)
    throw new Error(`the ${face} route ${method} ${url} is no endpoint of packages/api`);
  return endpoint as Endpoint & { readonly needs: Needs[Face] };
}

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
import type { SentBody } from './json.ts';

export type RequestTo<E extends Endpoint> = SentBody &
  FastifyRequest<{
    Params: ParamsOf<E>;
    Querystring: QueryOf<E>;
    Body: BodyOf<E>;
  }>;

/** Routes of one face, and who has sent a request to one of them that is not for anyone. */
export interface Face<Caller> {
  readonly app: FastifyInstance;
  callerOf(request: FastifyRequest): Caller;
}

/** What a handler is given of the caller: nothing where anyone may ask. */
type CallerOf<E extends Pick<Endpoint, 'needs'>, Caller> = E['needs'] extends 'anyone'
  ? undefined
  : Caller;

/** Serves a request, with its caller. */
type Handler<E extends Endpoint, Caller, Answer> = (
  request: RequestTo<E>,
  caller: CallerOf<E, Caller>,
  reply: FastifyReply,
) => Answer;

/** An endpoint that several faces have. */
export type OnAnyFace<E extends Endpoint> = Omit<E, 'face' | 'needs'> &
  Pick<Endpoint, 'face' | 'needs'>;

/**
 * Serves an endpoint: `handler` answers the body of 200, as the endpoint declares it, and throws
 * Refused or FieldErrors for everything else.
 */
export function bind<E extends Endpoint, Caller>(
  face: Face<Caller>,
  endpoint: E,
  handler: Handler<E, Caller, Promise<Given<AnswerOf<E>>>>,
  options: RouteShorthandOptions = {},
): void {
  const write = answerWriter(endpoint.answer);
  const handle = withCaller(face, endpoint, handler);
  face.app.route({
    ...options,
    ...routeOf(endpoint, options),
    handler: async (request, reply) => {
      const answer = await handle(request, reply);
      return reply.type(JSON_TYPE).send(write(answer));
    },
  });
}

/** A handler, given the caller of its request. */
const withCaller =
  <E extends Endpoint, Caller, Answer>(
    { callerOf }: Face<Caller>,
    { needs }: E,
    handler: Handler<E, Caller, Answer>,
  ) =>
  (request: FastifyRequest, reply: FastifyReply): Answer => {
    const caller = needs === 'anyone' ? undefined : callerOf(request);
    return handler(request as RequestTo<E>, caller as CallerOf<E, Caller>, reply);
  };

/** As `preValidation`: every field of the body may be left out, and the body with them. */
export const withoutBody = async (request: FastifyRequest): Promise<void> => {
  request.body ??= {};
};

/** Serves an endpoint that answers a file, which `send` sends; it throws as a handler does. */
export function bindFile<E extends Endpoint, Caller>(
  face: Face<Caller>,
  endpoint: E,
  send: Handler<E, Caller, Promise<FastifyReply>>,
): void {
  face.app.route({ ...routeOf(endpoint), handler: withCaller(face, endpoint, send) });
}

/** Serves an endpoint that answers a list as CSV, in the form that its request asks for. */
export function bindCsv<E extends Endpoint, Caller, Row>(
  face: Face<Caller>,
  endpoint: E,
  read: Handler<E, Caller, Csv<Row> | Promise<Csv<Row>>>,
): void {
  bindFile(face, endpoint, async (request, caller, reply) => {
    const { format, ...query } = request.query as { readonly format?: FileForm };
    return sendCsv(reply, await read(Object.assign(request, { query }), caller, reply), format);
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

/** What a route's configuration says that it serves. */
const configured = (config: unknown) => (config as { readonly endpoint?: Endpoint }).endpoint;

/** The endpoint that a request is served by; undefined where its route is none of packages/api. */
export const servedBy = ({ routeOptions }: FastifyRequest): Endpoint | undefined =>
  configured(routeOptions.config);

/** The endpoint of a route. Throws for a route of the face that declares none. */
export function endpointOf<Name extends FaceName>(
  face: Name,
  { method, url, config = {} }: Pick<RouteOptions, 'method' | 'url' | 'config'>,
): Endpoint & { readonly needs: Needs[Name] } {
  const endpoint = configured(config);
  if (endpoint?.face !== face)
    throw new Error(`the ${face} route ${method} ${url} is no endpoint of packages/api`);
  return endpoint as Endpoint & { readonly needs: Needs[Name] };
}

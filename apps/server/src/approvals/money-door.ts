import type { AnswerOf, Endpoint, Given } from '@munshi/api';
import {
  type AskedCommand,
  type AskedWrite,
  type CommandOf,
  daySumOf,
  type MoneyCommandKind,
  type ResultOf,
} from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import type { Asked } from '../door/door.ts';
import { askingOperator, type Operator } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind, type RequestTo } from '../platform/http/bind.ts';
import { readJson } from '../platform/http/json.ts';
import { submitOrPreview } from './effects.ts';

type MoneyEndpoint = Endpoint & { readonly decides: { readonly by: 'amount' } };

interface MoneyWrite<E extends Endpoint, Kind extends MoneyCommandKind> {
  readonly kind: Kind;
  /** What the request asks of the engine. Throws FieldErrors. */
  read(asked: Asked<E>): Omit<AskedCommand<Kind>, 'kind'>;
  /** Refuses a request before the engine sees it, and not what was asked for when it is approved. */
  check?(asked: Asked<E>): Promise<void>;
  show(
    result: ResultOf<Kind>,
    command: CommandOf<Kind>,
    operator: Operator,
  ): Given<AnswerOf<E>> extends { data: infer Data } ? Data : never;
}

/**
 * Serves a command about money. Where the engine decides that it waits, the request is kept as it
 * came, and is read again when another operator approves it.
 */
export function bindMoney<E extends MoneyEndpoint, Kind extends MoneyCommandKind>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: E,
  { kind, read, check, show }: MoneyWrite<E, Kind>,
): void {
  const name = `${endpoint.method} ${endpoint.path}`;
  const readCommand = (asked: Asked<E>) => ({ ...read(asked), kind }) as AskedCommand<Kind>;
  deps.askedCommands.set(name, ({ params, body }) =>
    readCommand({ params, ...readJson(body ?? '') } as Asked<E>),
  );

  bind(app, endpoint, async (request: RequestTo<E>) => {
    const { operator, once, bodyText } = request;
    const asked = readCommand(request);
    await check?.(request);
    const command = {
      ...asked,
      commandId: once.commandId,
      actor: operator.actor,
      sumOf: daySumOf(askingOperator(operator)),
      asked: { endpoint: name, params: request.params as AskedWrite['params'], body: bodyText },
    } as CommandOf<MoneyCommandKind>;
    const showTo = (result: ResultOf<MoneyCommandKind>) =>
      show(result as ResultOf<Kind>, command as CommandOf<Kind>, operator);
    const answer = await submitOrPreview<MoneyCommandKind, unknown>(deps, request, command, showTo);
    return answer as Given<AnswerOf<E>>;
  });
}

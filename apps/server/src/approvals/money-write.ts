import type { Endpoint } from '@munshi/api';
import type {
  Approval,
  AskedCommand,
  AskingOperator,
  CommandOf,
  Instant,
  MoneyCommandKind,
  MoneyKind,
  NeedsTwo,
  ResultOf,
} from '@munshi/core';
import type pg from 'pg';
import {
  type Answer,
  type Asked,
  type OperatorWrite,
  operatorWrite,
  type Parts,
  type WithoutSecrets,
  type WriteParts,
} from '../door/door.ts';
import type { Deps } from '../people/deps.ts';
import { type By, type Explained, nameOf, withdrawEarlier } from '../writes/waiting-writes.ts';
import type { Done as WriteDone } from '../writes/write.ts';
import { previewMoney } from './effects.service.ts';
import { showEffect } from './effects.ts';

type MoneyEndpoint = Endpoint & { readonly decides: { readonly by: 'amount' } };

interface MoneyWrite<E extends Endpoint, Kind extends MoneyCommandKind> {
  /** How its waiting requests are called. */
  readonly kind: MoneyKind;
  readonly command: Kind;
  /** What the request asks of the engine. Throws FieldErrors. */
  read(asked: Asked<E>): AskedCommand<Kind> | Promise<AskedCommand<Kind>>;
  /** What a second operator is shown. It locks the order that it is about. */
  explain(client: pg.PoolClient, given: AskedCommand<Kind>): Explained | Promise<Explained>;
  /** What follows of it, in its transaction. */
  also?(
    client: pg.PoolClient,
    done: Done<Kind>,
    by: Pick<By, 'actor'>,
    now: Instant,
  ): Promise<Pick<WriteDone<unknown>, 'others' | 'after'>>;
  show(done: Done<Kind>, who: AskingOperator): WithoutSecrets<E>;
  /** The answer while it waits, where it says more than that. */
  showWaiting?(approval: Approval, who: AskingOperator): Answer<E>;
}

interface Done<Kind extends MoneyCommandKind> {
  readonly result: Exclude<ResultOf<Kind>, NeedsTwo>;
  readonly command: CommandOf<Kind>;
}

/**
 * A write about money: one command, which says itself where one operator may not decide it. The
 * preview decides it over rows of one moment, without locks (decision 25).
 */
export function moneyWrite<E extends MoneyEndpoint, Kind extends MoneyCommandKind>(
  deps: Deps,
  endpoint: E,
  { kind, command: commandKind, read, explain, also, show, showWaiting }: MoneyWrite<E, Kind>,
): OperatorWrite<E> {
  const commandOf = (
    given: AskedCommand<Kind>,
    commandId: string,
    { actor, sumOf, approval }: Omit<By, 'asker'>,
  ) =>
    ({
      ...given,
      kind: commandKind,
      commandId,
      actor,
      sumOf,
      asked: approval,
      // The note of an asker stays with their request.
      ...(approval !== null && { internalNote: undefined }),
    }) as unknown as CommandOf<Kind> & { readonly kind: Kind };
  const parts: Parts<E, AskedCommand<Kind>, Done<Kind>> = {
    kind,
    read,
    explain: async (client, given) => explain(client, given),
    async work(client, given, now, ids, by) {
      const command = commandOf(given, by.approval?.approvalId ?? ids.uuid(now), by);
      const { result, audit, after, ...done } = await deps.engine.decideIn<Kind>(client, command);
      if (result.status === 'needsTwo') return result;
      if (by.approval === null) {
        const { target } = await explain(client, given);
        const earlier = { actor: by.actor, endpoint: nameOf(endpoint) };
        if (target !== null) await withdrawEarlier(client, now, { ...earlier, target });
      }
      // Every command about money that is done is written down.
      const its = { result, command } as unknown as Done<Kind>;
      const more = await also?.(client, its, by, now);
      return {
        ...(audit as NonNullable<typeof audit>),
        ...done,
        ...(more?.others && { others: more.others }),
        result: its,
        async after() {
          after();
          await more?.after?.();
        },
      };
    },
    show,
    showWaiting,
    async preview(given, by) {
      const command = commandOf(given, deps.ids.uuid(deps.clock.now()), by);
      return showEffect(await previewMoney(deps, kind, command));
    },
  };
  return operatorWrite(deps, endpoint, parts as WriteParts<E, AskedCommand<Kind>, Done<Kind>>);
}

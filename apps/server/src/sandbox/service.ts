import { hash } from 'node:crypto';
import type { PlayCustomer, PlayMember } from '@munshi/api';
import {
  type AuditAction,
  type AuditEntry,
  type CommandOf,
  type Decision,
  type JsonMember,
  type MemberDecision,
  type Order,
  readCreation,
} from '@munshi/core';
import { findActiveKey } from '../api-keys/store.ts';
import { creationContent } from '../engine/creation-content.ts';
import { findMember } from '../members/store.ts';
import { findMerchant } from '../merchants/store.ts';
import { commandFor } from '../orders/customer-commands.ts';
import { findOrder } from '../orders/store.ts';
import { accepted, FieldErrors, found, Refused } from '../platform/refusals.ts';
import { insertAuditOnce } from '../writes/audit-log.store.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { OperatorCaller } from '../writes/write.ts';

/**
 * What an admin does in the place of merchant, customer and member where the clock is a sandbox's:
 * the commands that their faces submit. The audit log names the admin; the order's history names
 * whom they played, so that it reads as a real one would (apis.md#the-sandbox).
 */

type Deps = Pick<ServiceDeps, 'clock' | 'database' | 'engine' | 'pageOrigin'>;
type MemberCommand = CommandOf<
  'member-confirm' | 'member-reject' | 'member-report' | 'member-release'
>;

/** An order with whom it concerns. */
export interface PlayedOrder {
  readonly order: Order;
  readonly merchantName: string;
  readonly member:
    | { readonly memberId: string; readonly name: string; readonly online: boolean }
    | undefined;
}

/** Throws `not-found`. */
export async function readPlayed(
  { database: { pool } }: Pick<Deps, 'database'>,
  orderId: string,
): Promise<PlayedOrder> {
  const { order, merchantName } = found(await findOrder(pool, orderId), 'Order');
  const member = order.memberId === null ? undefined : await findMember(pool, order.memberId);
  return { order, merchantName, member };
}

/**
 * Makes an order as the merchant's newest key would; `sent` are the fields of a creation with their
 * source text. No body was signed: the digest of one stands for the request. Throws `not-found`,
 * FieldErrors, and `wrong-state` with why the merchant face would refuse it.
 */
export async function createPlayedOrder(
  deps: Deps,
  caller: OperatorCaller,
  merchantId: string,
  sent: ReadonlyMap<string, JsonMember>,
): Promise<string> {
  const { pool } = deps.database;
  found(await findMerchant(pool, merchantId), 'Merchant');
  const key = await findActiveKey(pool, merchantId);
  if (key === undefined)
    throw new Refused('wrong-state', 'This merchant has no active API key to make an order with.');
  const idempotencyKey = `sandbox-${caller.once.commandId}`;
  const reading = readCreation(sent, idempotencyKey);
  if (reading.kind === 'unbound') throw new FieldErrors(reading.errors);
  if (reading.kind === 'invalid') throw new FieldErrors({ $: reading.messages });
  const { orderType, walletType } = reading.message;
  await record(deps, caller, 'sandbox.order', merchantId, { orderType, walletType });
  const decision = await deps.engine.submit({
    kind: 'create-order',
    commandId: caller.once.commandId,
    ...key,
    merchantId,
    digest: hash('md5', idempotencyKey),
    idempotencyKey,
    callerAddress: caller.actor.address,
    pageOrigin: deps.pageOrigin(),
    content: creationContent(reading),
  });
  if (decision.ok) return decision.result.orderId;
  const { message, detail } = decision.refusal;
  throw new Refused('wrong-state', detail === undefined ? message : `${message} (${detail})`);
}

/** Does what the customer would on the payment page. Throws what the page would refuse. */
export async function playCustomer(
  deps: Deps,
  caller: OperatorCaller,
  orderId: string,
  { action, ...fields }: PlayCustomer,
): Promise<void> {
  const { order } = found(await findOrder(deps.database.pool, orderId), 'Order');
  const command = commandFor(action, order, fields, caller.once.commandId);
  if (command === 'nothing') return;
  if (!('kind' in command)) throw new FieldErrors({ $: [command.message] });
  await record(deps, caller, 'sandbox.customer', orderId, { act: action });
  readable(await deps.engine.submit(command, caller.once));
}

/** Does what the member who holds the order would. Throws what the member face would refuse. */
export async function playMember(
  deps: Deps,
  caller: OperatorCaller,
  orderId: string,
  { action, ...why }: PlayMember,
): Promise<void> {
  const { order } = found(await findOrder(deps.database.pool, orderId), 'Order');
  const { memberId } = order;
  if (memberId === null) throw new Refused('wrong-state', 'No member has this order.');
  if (action !== 'confirm' && why.reason === undefined)
    throw new FieldErrors({ '$.reason': ['is needed.'] });
  const identity = { commandId: caller.once.commandId, orderId, memberId };
  await record(deps, caller, 'sandbox.member', orderId, { act: action, memberId });
  readable(await deps.engine.submit(memberCommand(action, identity, why), caller.once));
}

function memberCommand(
  action: MemberDecision,
  identity: Pick<MemberCommand, 'commandId' | 'orderId' | 'memberId'>,
  { reason = '', reasonCode }: Omit<PlayMember, 'action'>,
): MemberCommand {
  if (action === 'confirm')
    return {
      kind: 'member-confirm',
      ...identity,
      receivedAmount: null,
      transactionReference: null,
    };
  if (action === 'reject') return { kind: 'member-reject', ...identity, reason, reasonCode };
  return { kind: `member-${action}`, ...identity, reason };
}

/** Brings a member online or sends them home; the engine records who did it. */
export async function playPresence(
  { engine }: Pick<Deps, 'engine'>,
  { actor, once }: OperatorCaller,
  memberId: string,
  online: boolean,
): Promise<boolean> {
  const { commandId } = once;
  const command = { kind: 'update-member', commandId, memberId, online, actor } as const;
  return accepted(await engine.submit(command, once)).online;
}

/**
 * Writes the operator who asks into the audit log before the action, once for each request: the
 * command is another person's, and its transaction records no operator.
 */
async function record(
  { clock, database }: Deps,
  { actor, once }: OperatorCaller,
  action: AuditAction,
  target: string,
  detail: AuditEntry['detail'],
): Promise<void> {
  const entry = { auditId: once.commandId, actor, action, target, detail, at: clock.now() };
  await insertAuditOnce(database.pool, entry);
}

/** The result; what was entered wrongly is said as this face says it. */
function readable<Result>(decision: Decision<Result>): Result {
  if (!decision.ok && decision.refusal.code === 'invalid')
    throw new FieldErrors({ $: [decision.refusal.message] });
  return accepted(decision);
}

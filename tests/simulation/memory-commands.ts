import {
  type Command,
  type CommandOf,
  type MoneyCommandKind,
  money,
  needOf,
  newApproval,
  type Order,
} from '@munshi/core';
import { creation, message, standsAlone } from '../../packages/core/src/testing/literals.ts';
import type { World } from '../../packages/core/src/testing/memory-view.ts';
import type { Create } from './model/creation.ts';
import { digitsOf } from './model/customer.ts';
import { type CustomerNoteAbout, sentOf } from './model/customer-says.ts';
import { isActive, mayApprove, OPERATOR_COUNT, sumOf } from './model/four-eyes.ts';
import type { Act } from './model/index.ts';
import { arrivedOf } from './model/money.ts';
import type { Model } from './model/state.ts';

/**
 * The pure rules in memory beside the model, and which of the service's ids stands for which of the
 * model's numbers.
 */
export interface Pair {
  readonly world: World;
  readonly model: Model;
  readonly orderIds: string[];
  /** The commands that wait for a second operator, by the model's number; others have none. */
  readonly asked: (Command | undefined)[];
  commands: number;
}

function creationCommand(asked: Create, commandId: string): Command {
  const { terms, digits, retries, callback } = asked;
  const content = message({
    orderType: terms.kind,
    amount: money(terms.amount),
    walletType: terms.method,
    currency: terms.currency,
    merchantOrderRef: terms.reference,
    customerAccountNumber: terms.account,
    customerAccountName: terms.accountName,
    callbackUrl: callback ? 'https://own.example/hook' : null,
    txnRefDigitsRequired: digits,
    maxRetryCount: retries,
  });
  const { key, merchant: merchantId, body: digest, idempotencyKey } = asked;
  return creation(content, {
    commandId,
    apiKeyHash: key,
    keyId: key,
    merchantId,
    digest,
    idempotencyKey,
  });
}

export const OPERATORS = Array.from(
  { length: OPERATOR_COUNT },
  (_, number) =>
    ({
      kind: 'operator',
      id: `operator ${number}`,
      name: 'An Operator',
      address: '10.0.0.1',
    }) as const,
);
export const operatorOf = (number: number) => OPERATORS[number] as (typeof OPERATORS)[number];

/** Who asks, and in which sum it counts. */
const by = (number: number) => ({
  ...standsAlone(operatorOf(number)),
  sumOf: operatorOf(sumOf(number)).id,
});

/** The command that does this; undefined where it is no command. */
export function commandOf(pair: Pair, asked: Act): Command | undefined {
  // Kept beside the order, by statements of their own.
  if (asked.act === 'evidence' || asked.act === 'member-seen') return undefined;
  const commandId = `command ${pair.commands}`;
  if ('operator' in asked && !isActive(pair.model, asked.operator)) return undefined;
  if (asked.act === 'create') return creationCommand(asked, commandId);
  if (!('order' in asked)) return peopleCommand(pair, asked, commandId);
  const order = pair.world.orders.get(pair.orderIds[asked.order] ?? '') as Order;
  const its = { commandId, orderId: order.orderId };
  const need = needOf(order);
  switch (asked.act) {
    case 'open':
      return { kind: 'open-page', ...its, need };
    case 'switch': {
      const { merchantId } = order;
      return {
        kind: 'switch-method',
        ...its,
        merchantId,
        walletType: asked.method,
        need: { ...need, walletType: asked.method },
      };
    }
    case 'payer':
      return {
        kind: 'submit-payer',
        ...its,
        accountNumber: asked.valid ? '03001234' : 'none',
        ibanLast4: asked.valid ? '1234' : '12',
      };
    case 'confirm-payment':
      return {
        kind: 'confirm-payment',
        ...its,
        transactionDigits: digitsOf(asked.digits),
      };
    case 'account':
      return {
        kind: 'submit-account',
        ...its,
        accountNumber: asked.valid ? '0301' : ' ',
        accountName: 'C. Customer',
        need,
      };
    case 'cancel-by-customer':
      return { kind: 'cancel-by-customer', ...its };
    case 'customer-note':
      return { kind: 'customer-note', ...its, about: noteOf(order, asked.about) };
    case 'member-confirm': {
      const receivedAmount =
        asked.amount === null ? null : arrivedOf(asked.amount, order.orderType, order.amount);
      return {
        kind: 'member-confirm',
        ...its,
        memberId: asked.member,
        receivedAmount,
        transactionReference: null,
      };
    }
    case 'member-reject':
      return {
        kind: 'member-reject',
        ...its,
        memberId: asked.member,
        reason: 'rejected by the member',
      };
    case 'member-report':
      return {
        kind: 'member-report',
        ...its,
        memberId: asked.member,
        reason: 'reported by the member',
      };
    case 'member-release':
      return {
        kind: 'member-release',
        ...its,
        memberId: asked.member,
        reason: 'released by the member',
      };
    case 'member-sending':
      return { kind: 'member-sending', ...its, memberId: asked.member };
    case 'member-money-seen': {
      const about = { kind: 'moneySeen' } as const;
      return { kind: 'member-note', ...its, memberId: asked.member, about, text: null };
    }
    case 'member-note': {
      const amount = order.amount + BigInt(asked.more);
      const about = { kind: 'otherAmount', amount } as const;
      return { kind: 'member-note', ...its, memberId: asked.member, about, text: asked.text };
    }
    case 'operator-cancel':
      return {
        kind: 'operator-cancel',
        ...its,
        note: 'cancelled by the operator',
        ...by(asked.operator),
      };
    case 'operator-escalate':
      return {
        kind: 'operator-escalate',
        ...its,
        note: 'escalated',
        actor: operatorOf(asked.operator),
      };
    case 'operator-resolve':
      return {
        kind: 'operator-resolve',
        ...its,
        outcome: asked.outcome,
        memberId: asked.member,
        note: 'resolved by the operator',
        ...by(asked.operator),
      };
    case 'operator-confirm':
      return {
        kind: 'operator-confirm',
        ...its,
        note: 'it came',
        memberId: asked.member,
        ...by(asked.operator),
      };
    case 'deadline':
      return { kind: 'pass-deadline', ...its, need };
    case 'assign':
      return { kind: 'assign-waiting', ...its, need };
    case 'withdraw':
      return { kind: 'withdraw-member', ...its, need };
  }
}

function noteOf(order: Order, about: CustomerNoteAbout): CommandOf<'customer-note'>['about'] {
  if (about.kind === 'correctedDigits')
    return { kind: about.kind, transactionDigits: about.digits };
  if (about.kind === 'paidBy') return { kind: about.kind, paidBy: about.name };
  return { kind: about.kind, amount: sentOf(order, about.more) };
}

function peopleCommand(
  pair: Pair,
  asked: Exclude<Act, Create | { order: number }>,
  commandId: string,
): Command | undefined {
  switch (asked.act) {
    case 'presence':
      return {
        kind: 'update-member',
        commandId,
        memberId: asked.member,
        online: asked.online,
        actor: { kind: 'member', id: asked.member },
      };
    case 'member-status':
      return {
        kind: 'update-member',
        commandId,
        memberId: asked.member,
        status: asked.active ? 'active' : 'suspended',
        actor: operatorOf(0),
      };
    case 'capacity':
      return {
        kind: 'update-member',
        commandId,
        memberId: asked.member,
        maxOpenOrders: asked.maxOpenOrders,
        actor: operatorOf(0),
      };
    case 'member-account': {
      const status = asked.approved ? 'approved' : 'suspended';
      return {
        kind: 'update-member',
        commandId,
        memberId: asked.member,
        account: { accountId: asked.account, status },
        actor: operatorOf(0),
      };
    }
    case 'float':
      return {
        kind: 'adjust-float',
        commandId,
        memberId: asked.member,
        amount: money(asked.amount),
        reason: 'float',
        ...by(asked.operator),
      };
    case 'adjust': {
      const { merchant: merchantId, change: adjustment, amount, operator } = asked;
      return {
        kind: 'adjust-wallet',
        commandId,
        merchantId,
        adjustment,
        amount: money(amount),
        reason: 'adjustment',
        ...by(operator),
      };
    }
    case 'approve':
      // What its request refuses is refused before the command.
      if (!mayApprove(pair.model, asked.request, asked.operator)) return undefined;
      return approvalCommand(pair, asked.request, operatorOf(asked.operator));
    default:
      return undefined;
  }
}

/** What was asked for, as an approval does it. */
function approvalCommand(
  { asked, world }: Pair,
  number: number,
  actor: (typeof OPERATORS)[number],
): Command | undefined {
  const command = asked[number] as CommandOf<MoneyCommandKind> | undefined;
  if (command === undefined) return undefined;
  const asker = { actor: command.actor, asked: null };
  const request = newApproval('write', command.commandId, '', {}, asker, world.now);
  return { ...command, actor, sumOf: null, asked: request };
}

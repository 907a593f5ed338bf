import { describe, expect, test } from 'vitest';
import {
  type Command,
  CUSTOMER_ACTIONS,
  type CustomerAction,
  customerActions,
  MEMBER_ACTIONS,
  type MemberAction,
  memberMay,
  needOf,
  type Order,
  STATUS,
  STATUSES,
  type Status,
  type WalletType,
} from '../index.ts';
import {
  account,
  deposit,
  member,
  NOW,
  withdrawal,
  withdrawalWithoutAccount,
} from '../testing/literals.ts';
import { createWorld } from '../testing/memory-view.ts';

/** What is allowed is what its command would do: it is accepted and changes something. */

const given = { commandId: 'c1', orderId: 'ord1' } as const;
const METHODS: readonly WalletType[] = ['ProviderA', 'ProviderB', 'ProviderAQR', 'BankAccount'];

/** The order beside members who could each take it by any method. */
function changes(order: Order, command: Command, now = NOW): boolean {
  const members = ['m1', 'm2', 'm3'].map((memberId) => {
    const accounts = METHODS.map((walletType) =>
      account({
        accountId: walletType === 'ProviderA' ? `${memberId}-a` : `${memberId}-${walletType}`,
        walletType,
      }),
    );
    return member({ memberId, accounts });
  });
  const decision = createWorld({ orders: [order], members, now }).run(command);
  return decision.ok && Object.keys(decision.changes).length > 0;
}

const ended = (status: Status) =>
  STATUS[status].phase === 'open' ? {} : { dueAt: null, liveReference: null };
const statusesOf = (orderType: Order['orderType']) =>
  STATUSES.filter((status) => ['both', orderType].includes(STATUS[status].appliesTo));
const held = { memberId: 'm1', accountId: 'm1-a' };
const handedOn = { memberId: 'm2', accountId: 'm2-a', formerMemberIds: ['m1'] };

describe('a member is offered what their command would change', () => {
  const orders = [
    ...statusesOf('Deposit').map((status) => deposit({ status, ...ended(status) })),
    ...statusesOf('Withdrawal').flatMap((status) =>
      [held, handedOn].map((hands) => withdrawal({ status, ...hands, ...ended(status) })),
    ),
  ].filter(({ memberId }) => memberId !== null);

  const commandFor = (action: MemberAction): Command => {
    const of = { ...given, memberId: 'm1' };
    switch (action) {
      case 'confirm':
        return { kind: 'member-confirm', ...of, receivedAmount: null, transactionReference: null };
      case 'note':
        return {
          kind: 'member-note',
          ...of,
          about: { kind: 'otherAmount', amount: 1n },
          text: null,
        };
      case 'money-seen':
        return { kind: 'member-note', ...of, about: { kind: 'moneySeen' }, text: null };
      case 'sending':
        return { kind: 'member-sending', ...of };
      default:
        return { kind: `member-${action}`, ...of, reason: 'no' };
    }
  };

  test.each(MEMBER_ACTIONS)('%s', (action) => {
    for (const order of orders)
      expect([order.orderType, order.status, memberMay(action, order, 'm1')]).toEqual([
        order.orderType,
        order.status,
        changes(order, commandFor(action)),
      ]);
  });
});

describe('a customer is offered what their command would change', () => {
  const paid = (status: Status) =>
    status === 'AwaitingMemberConfirmation' ? { sentAt: NOW - 1 } : {};
  const orders = [
    ...statusesOf('Deposit').flatMap((status) =>
      METHODS.flatMap((walletType) =>
        [null, '03001234567'].map((payerAccount) =>
          deposit({ status, walletType, payerAccount, ...paid(status), ...ended(status) }),
        ),
      ),
    ),
    deposit({ methodSwitches: 20 }),
    ...statusesOf('Withdrawal').map((status) => withdrawal({ status, ...ended(status) })),
    ...statusesOf('Withdrawal').map((status) =>
      withdrawalWithoutAccount({ status, ...ended(status) }),
    ),
  ];

  const commandFor = (action: CustomerAction, order: Order): Command => {
    const need = needOf(order);
    const walletType = order.walletType === 'ProviderB' ? 'ProviderA' : 'ProviderB';
    const commands: Readonly<Record<CustomerAction, Command>> = {
      open: { kind: 'open-page', ...given, need },
      method: {
        kind: 'switch-method',
        ...given,
        merchantId: 'mer1',
        walletType,
        need: needOf({ ...order, walletType }),
      },
      payer: { kind: 'submit-payer', ...given, accountNumber: '0311111', ibanLast4: '1111' },
      confirm: { kind: 'confirm-payment', ...given, transactionDigits: '1234' },
      account: {
        kind: 'submit-account',
        ...given,
        accountNumber: '0300',
        accountName: 'C',
        need,
      },
      cancel: { kind: 'cancel-by-customer', ...given },
    };
    return commands[action];
  };

  test.each(CUSTOMER_ACTIONS)('%s', (action) => {
    for (const order of orders) {
      const of = [order.orderType, order.status, order.walletType, order.payerAccount];
      const offered = customerActions(order, NOW).includes(action);
      expect([...of, offered]).toEqual([...of, changes(order, commandFor(action, order))]);
    }
  });

  test.each(CUSTOMER_ACTIONS)('%s, and nothing from expiresAt on', (action) => {
    for (const order of orders) {
      expect(customerActions(order, order.expiresAt)).toEqual([]);
      expect(changes(order, commandFor(action, order), order.expiresAt)).toBe(false);
    }
  });
});

import { describe, expect, test } from 'vitest';
import type { Command, Order, OrderNote } from '../index.ts';
import { money } from '../money.ts';
import { deposit, NOW, withdrawal } from '../testing/literals.ts';
import { createWorld, type World } from '../testing/memory-view.ts';
import type { CustomerNote } from './customer-note.ts';
import { openNotes } from './customer-note.ts';

const say = (about: CustomerNote['about']) =>
  ({ kind: 'customer-note', commandId: 'c1', orderId: 'ord1', about }) as const satisfies Command;
const digits = (transactionDigits: string) => say({ kind: 'correctedDigits', transactionDigits });
const amount = (text: string) => say({ kind: 'amountSent', amount: money(text) });
const payer = (paidBy: string) => say({ kind: 'paidBy', paidBy });

const paid = (given: Partial<Order> = {}) =>
  deposit({
    status: 'AwaitingMemberConfirmation',
    sentAt: NOW - 1,
    transactionDigits: '1234',
    amount: money('100'),
    ...given,
  });
const worldOf = (order: Order) => createWorld({ orders: [order] });
const expectRefused = (world: World, command: Command, code: string) =>
  expect(world.run(command)).toMatchObject({ ok: false, refusal: { code }, changes: {} });
const notesOf = (world: World): readonly OrderNote[] => [...world.notes.values()];

test('corrected digits are the order’s from now on; the note keeps the former ones', () => {
  const world = worldOf(paid());
  expect(world.run(digits('4821'))).toMatchObject({
    ok: true,
    result: { transactionDigits: '4821' },
  });
  expect(world.orders.get('ord1')).toEqual({ ...paid(), transactionDigits: '4821' });
  expect(notesOf(world)).toMatchObject([
    { kind: 'correctedDigits', text: '1234', amount: null, number: 1, actor: { kind: 'customer' } },
  ]);
});

test('another amount and who paid change nothing of the order', () => {
  const world = worldOf(paid());
  world.run(amount('90.5'));
  world.run(payer(' Ayesha Khan '));
  expect(world.orders.get('ord1')).toEqual(paid());
  expect(notesOf(world)).toMatchObject([
    { kind: 'amountSent', amount: money('90.5'), text: '', number: 1 },
    { kind: 'paidBy', amount: null, text: 'Ayesha Khan', number: 2 },
  ]);
});

test.each([digits('4821'), amount('90.5'), payer('Ayesha')])(
  'the open app of the member reads again what was added: $about.kind',
  (command) => {
    const world = worldOf(paid());
    world.run(command);
    world.run(command);
    expect(world.notices).toEqual([{ memberId: 'm1', event: 'customer-added', orderId: 'ord1' }]);
  },
);

describe('each is said once', () => {
  test.each([
    ['the digits', digits('4821'), digits('4822')],
    ['the amount', amount('90'), amount('91')],
    ['who paid', payer('Ayesha'), payer('Bilal')],
  ] as const)('%s: the same again changes nothing, another is refused', (_what, first, other) => {
    const world = worldOf(paid());
    world.run(first);
    expect(world.run(first)).toMatchObject({ ok: true, changes: {} });
    expectRefused(world, other, 'wrong-state');
    expect(notesOf(world)).toHaveLength(1);
  });

  test('the digits that were given first are no correction', () => {
    const world = worldOf(paid());
    expect(world.run(digits('1234'))).toMatchObject({ ok: true, changes: {} });
  });
});

describe('refused', () => {
  test.each([
    ['before the payment is confirmed', deposit({ status: 'AwaitingCustomerPayment' })],
    ['in a review of an unpaid deposit', deposit({ status: 'ManualReview' })],
    ['once it is completed', paid({ status: 'Completed', completedAt: NOW })],
    ['once it is rejected', paid({ status: 'Rejected', failedAt: NOW })],
    ['of a withdrawal', withdrawal()],
  ] as const)('%s', (_when, order) => {
    for (const command of [digits('4821'), amount('90'), payer('Ayesha')])
      expectRefused(worldOf(order), command, 'wrong-state');
  });

  test.each([
    ['no order', undefined, digits('4821'), 'not-found'],
    ['digits of a QR payment', paid({ walletType: 'ProviderAQR' }), digits('4821'), 'wrong-state'],
    ['too few digits', paid(), digits('482'), 'invalid'],
    ['no digits', paid(), digits('48a1'), 'invalid'],
    ['the amount of the order', paid(), amount('100'), 'invalid'],
    ['what is sent of it', paid({ amount: money('99.995') }), amount('100'), 'invalid'],
    ['nothing', paid(), amount('0'), 'invalid'],
    ['less than nothing', paid(), amount('-1'), 'invalid'],
    ['nobody', paid(), payer(' '), 'invalid'],
    ['a name of control characters', paid(), payer('Ay\u0000esha'), 'invalid'],
    ['a long name', paid(), payer('a'.repeat(101)), 'invalid'],
  ] as const)('%s', (_what, order, command, code) => {
    const world = createWorld({ orders: order === undefined ? [] : [order] });
    expectRefused(world, command, code);
    expect(notesOf(world)).toEqual([]);
  });
});

test('what may still be said is what would be taken', () => {
  const all = ['correctedDigits', 'amountSent', 'paidBy'] as const;
  expect(openNotes(paid(), [])).toEqual(all);
  expect(openNotes(paid({ status: 'ManualReview' }), [])).toEqual(all);
  expect(openNotes(paid(), [{ kind: 'amountSent' }])).toEqual(['correctedDigits', 'paidBy']);
  expect(openNotes(paid({ walletType: 'ProviderBQR' }), [])).toEqual(['amountSent', 'paidBy']);
  expect(openNotes(paid({ status: 'Completed' }), [])).toEqual([]);
});

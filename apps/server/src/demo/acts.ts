import type { EvidenceKind, WalletType } from '@munshi/core';
import type { Json } from './calls.ts';
import type { Random } from './random.ts';
import { drawReceipt } from './receipt.ts';
import type { Later } from './timeline.ts';
import type { Created, NewOrder, Shop, World } from './world.ts';

const MINUTE = 60;
const DEPOSIT_METHODS: readonly WalletType[] = [
  'ProviderA',
  'ProviderA',
  'ProviderB',
  'TillID',
  'ProviderATillID',
  'ProviderAQR',
];

export type Common = Omit<NewOrder, 'orderType' | 'walletType'>;
export type Acts = ReturnType<typeof actsOf>;

/** What the people around one order can do. `later` of each story passes time between. */
export function actsOf(world: World, random: Random, shop: Shop, customer: string, common: Common) {
  const anyMethod = () => random.pick(DEPOSIT_METHODS);
  const digits = String(random.integer(1000, 9999));
  const wallet = `03${random.integer(100_000_000, 499_999_999)}`;

  const deposit = (walletType: WalletType) =>
    shop.create({ orderType: 'Deposit', walletType, ...common });
  /** To the moment when the customer sees where to pay. */
  async function opened(later: Later, walletType = anyMethod()): Promise<Created> {
    const order = await deposit(walletType);
    await later(random.integer(8, 50));
    const { view } = await order.page('open');
    if (view === 'payer') await order.page('payer', { accountNumber: wallet });
    return order;
  }
  /** To the moment when the customer says that they have paid. */
  async function paid(later: Later, walletType = anyMethod()): Promise<Created> {
    const order = await opened(later, walletType);
    await later(random.integer(70, 400));
    await order.page('confirm', walletType.endsWith('QR') ? {} : { transactionDigits: digits });
    return order;
  }
  const withdrawalWithoutAccount = (terms: Partial<NewOrder> = {}) =>
    shop.create({
      orderType: 'Withdrawal',
      walletType: random.pick(['ProviderA', 'ProviderB', 'BankAccount']),
      ...common,
      ...terms,
    });
  const withdrawal = (terms: Partial<NewOrder> = {}) =>
    withdrawalWithoutAccount({
      customerAccountNumber: wallet,
      customerAccountName: customer,
      ...terms,
    });
  const sayWhereTo = (order: Created) =>
    order.page('account', { accountNumber: wallet, accountName: customer });
  /** A deposit of more than any member has in float. */
  async function tooLarge(later: Later) {
    const order = await shop.create({
      orderType: 'Deposit',
      walletType: 'ProviderA',
      ...common,
      amount: '2500000',
    });
    await later(20);
    await order.page('open');
  }
  const read = ({ orderId }: Created) => world.support('GET', `/api/operator/orders/${orderId}`);
  /** As the member who holds the order now. */
  async function asMember(order: Created, action: string, body: object): Promise<Json | undefined> {
    const { memberId } = (await read(order))['member'] as { memberId: string };
    return world.members.get(memberId)?.(
      'POST',
      `/api/member/orders/${order.orderId}/${action}`,
      body,
    );
  }
  /** The member's picture of the transfer. */
  async function handIn(order: Created, kind: EvidenceKind, went: boolean): Promise<void> {
    const picture = await drawReceipt({ went, number: wallet.slice(-6) });
    await asMember(order, 'evidence', { kind, picture });
  }
  const asSupport = (order: Created, action: string, body: object) =>
    world.support('POST', `/api/operator/orders/${order.orderId}/${action}`, body);
  /** Leaves a claim, and answers its id. */
  async function claim(order: Created): Promise<string> {
    await order.page('claim', { transactionDigits: `30${digits}41` });
    const { lateClaims } = (await read(order)) as { lateClaims: { claimId: string }[] };
    return (lateClaims[0] as { claimId: string }).claimId;
  }
  const received = { receivedAmount: Number(common.amount) };
  const sent = () => ({ transactionReference: `TX${random.integer(10_000_000, 99_999_999)}` });
  async function expired(later: Later): Promise<Created> {
    const order = await opened(later);
    await later(16 * MINUTE);
    return order;
  }

  return {
    random,
    support: world.support,
    anyMethod,
    deposit,
    opened,
    paid,
    expired,
    tooLarge,
    withdrawal,
    withdrawalWithoutAccount,
    sayWhereTo,
    asMember,
    handIn,
    asSupport,
    claim,
    received,
    sent,
  };
}

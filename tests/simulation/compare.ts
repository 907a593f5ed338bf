import type { TestMerchant } from '../support/fixtures.ts';
import { get } from '../support/merchant-client.ts';
import { signatureOf } from '../support/receiver.ts';
import type { Cast } from './cast.ts';
import type { Model } from './model/state.ts';
import {
  besidePicture,
  Divergence,
  expectSame,
  memberPicture,
  merchantPicture,
  orderPicture,
  type Picture,
  requestPicture,
  settingsPicture,
} from './picture.ts';
import type { Rows } from './server-rows.ts';

/** The rows of the service are what the model says, all of them. */
export function compare(
  cast: Pick<Cast, 'orderIds' | 'requestIds'>,
  model: Model,
  rows: Rows,
): void {
  if (rows.orders.size !== model.orders.length)
    throw new Divergence(`${rows.orders.size} orders, the model has ${model.orders.length}`);
  for (const order of model.orders) {
    const events = order.events.map(({ reason }) => reason !== null);
    const service: Picture = rows.orderPicture(cast.orderIds[order.number] ?? '', events);
    expectSame(`order ${order.number}`, service, orderPicture(order));
    const beside = rows.besidePicture(cast.orderIds[order.number] ?? '');
    expectSame(`beside order ${order.number}`, beside, besidePicture(order));
  }
  if (rows.requestCount !== model.requests.length)
    throw new Divergence(`${rows.requestCount} requests, the model has ${model.requests.length}`);
  for (const [number, request] of model.requests.entries()) {
    expectSame(
      `request ${number}`,
      rows.requestPicture(cast.requestIds[number] ?? ''),
      requestPicture(request),
    );
  }
  expectSame('the settings', rows.settings, settingsPicture(model));
  for (const name of Object.keys(model.members))
    expectSame(name, rows.memberPicture(name, model.now), memberPicture(model, name));
  for (const name of Object.keys(model.merchants))
    expectSame(name, rows.merchantPicture(name), merchantPicture(model, name));
}

/** Every order by the merchant's status endpoint, and every balance, as the merchant reads them. */
export async function compareFaces({ keys, orderIds }: Cast, model: Model): Promise<void> {
  for (const [name, { keys: own }] of Object.entries(model.merchants)) {
    const key = Object.keys(own).find((each) => own[each]?.revoked === false);
    if (key === undefined) continue;
    const merchant = keys[key] as TestMerchant;
    const { balance: _, ...amounts } = merchantPicture(model, name);
    const answer = await get(merchant, '/orders/balance');
    const shown = `{"data":{"availableBalance":${amounts['available']},"reservedBalance":${amounts['reserved']},"frozenBalance":${amounts['frozen']},"currency":"PKR"}}`;
    if (answer.text !== shown)
      throw new Divergence(`the balance is answered as ${answer.text}, the model says ${shown}`);
    for (const order of model.orders.filter((each) => each.merchant === name)) {
      const { text, json } = await get(merchant, `/orders/${orderIds[order.number]}/status`);
      expectSame(
        `order ${order.number} as answered`,
        answeredPicture(json.data, text),
        pictureToShow(model, order.number),
      );
    }
  }
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

// biome-ignore lint/suspicious/noExplicitAny: an answer's data
function answeredPicture({ lifecycle, ...data }: any, text: string): Picture {
  const { orderId: _, orderReference: __, amount: ___, fee: ____, ...rest } = data;
  const exact = (name: string) => new RegExp(`"${name}":([^,}]+)`).exec(text)?.[1] ?? null;
  return {
    ...rest,
    ...Object.fromEntries(Object.entries(lifecycle).map(([name, at]) => [`lifecycle.${name}`, at])),
    amount: exact('amount'),
    fee: exact('fee'),
  };
}

function pictureToShow(model: Model, number: number): Picture {
  const order = model.orders[number] as Model['orders'][number];
  const { status, stage, reference, orderType, currency, amount, fee } = orderPicture(order);
  const {
    createdAt,
    awaitingAt,
    assignedAt,
    sentAt,
    completedAt,
    rejectedAt,
    failedAt,
    cancelledAt,
  } = order;
  return {
    status,
    stage,
    orderType,
    currency,
    amount,
    fee: fee ?? 'null',
    merchantOrderRef: reference,
    queuedAt: iso(createdAt),
    confirmedAt: iso(completedAt),
    cancelledAt: iso(cancelledAt),
    'lifecycle.stage': stage,
    'lifecycle.createdAt': iso(createdAt),
    'lifecycle.awaitingAt': iso(awaitingAt),
    'lifecycle.assignedAt': iso(assignedAt),
    'lifecycle.sentAt': iso(sentAt),
    'lifecycle.approvedAt': iso(completedAt),
    'lifecycle.rejectedAt': iso(rejectedAt),
    'lifecycle.completedAt': iso(completedAt),
    'lifecycle.failedAt': iso(failedAt),
  };
}

/**
 * Each outcome with an address arrived once, as stored, signed with the secret that was current.
 */
export function expectWebhooks(
  cast: Cast,
  model: Model,
  revokedAt: ReadonlyMap<string, number>,
  rows: Rows,
): void {
  const arrived = Map.groupBy(cast.receiver.received, ({ headers }) =>
    String(headers['x-svc-delivery-id']),
  );
  const expected = model.orders.flatMap((order) => order.events.map((event) => ({ order, event })));
  if (arrived.size !== expected.length)
    throw new Divergence(`${arrived.size} webhooks arrived, the model says ${expected.length}`);
  for (const delivery of rows.deliveries) {
    const received = arrived.get(delivery.deliveryId) ?? [];
    const order = model.orders[cast.orderIds.indexOf(delivery.orderId)] as Model['orders'][number];
    const revoked = revokedAt.get(order.asked.key);
    // An outcome of the same moment came before: a deadline that had passed when the key was
    // revoked.
    const signer = cast.keys[
      revoked === undefined || delivery.createdAt <= revoked ? order.asked.key : 'shop 1'
    ] as TestMerchant;
    const [one] = received;
    const body = one?.body ?? Buffer.from('');
    const signature = String(one?.headers['x-svc-signature']);
    expectSame(
      `delivery of order ${order.number}`,
      {
        copies: received.length,
        status: delivery.status,
        same: body.equals(delivery.body),
        signature,
      },
      {
        copies: 1,
        status: 'delivered',
        same: true,
        signature: signatureOf(delivery.body, signer.signingSecret),
      },
    );
  }
}

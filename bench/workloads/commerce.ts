import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Bench, measured, recordLoad, type Workload } from '../bench.ts';
import { type Answer, wireRequest } from '../connection.ts';
import { PEERS, startServer } from '../processes.ts';
import { closedJourneys, type Journey } from '../traffic.ts';
import { isInstalled } from './webhooks.ts';

interface Peer {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Called when its server is up; returns how a whole order is made. */
  journey(): Journey;
}

const json = { 'content-type': 'application/json' };

/** A paid Vendure order in as few requests as it allows: the order must exist before the rest. */
const vendure: Peer = {
  name: 'vendure',
  env: { VENDURE_DISABLE_TELEMETRY: 'true' },
  journey() {
    const failed = '{ __typename ... on ErrorResult { message } }';
    const add = `mutation { addItemToOrder(productVariantId: "1", quantity: 1) ${failed} }`;
    const rest = (email: string) => `mutation {
      setCustomerForOrder(input: { firstName: "Ayesha", lastName: "Khan", emailAddress: "${email}" }) ${failed}
      setOrderShippingAddress(input: { fullName: "Ayesha Khan", streetLine1: "1 Mall Road", city: "Lahore", postalCode: "54000", countryCode: "PK" }) ${failed}
      setOrderShippingMethod(shippingMethodId: ["1"]) ${failed}
      transitionOrderToState(state: "ArrangingPayment") ${failed}
      addPaymentToOrder(input: { method: "standard-payment", metadata: {} }) { __typename ... on Order { code state } ... on ErrorResult { message } }
    }`;
    const ask = (query: string, headers = {}) =>
      wireRequest({
        method: 'POST',
        path: '/shop-api',
        headers: { ...json, ...headers },
        body: JSON.stringify({ query }),
      });
    let customers = 0;
    return async (send) => {
      const begun = await send(ask(add));
      const token = /vendure-auth-token: (\w+)/i.exec(begun.head)?.[1];
      if (token === undefined) return begun.body;
      customers += 1;
      const done = await send(
        ask(rest(`customer-${customers}@example.com`), { authorization: `Bearer ${token}` }),
      );
      return done.body.includes('"state":"PaymentSettled"') ? undefined : done.body;
    };
  },
};

const SEEDED = path.join(tmpdir(), `munshi-bench-medusa-${process.pid}.json`);

/** A cart with address, shipping and payment session, then its completion. */
const medusa: Peer = {
  name: 'medusa',
  env: { MEDUSA_DISABLE_TELEMETRY: 'true', SEEDED, HOME: tmpdir() },
  journey() {
    const seeded = JSON.parse(readFileSync(SEEDED, 'utf8')) as Readonly<
      Record<'key' | 'region' | 'variant' | 'shipping', string>
    >;
    const address = {
      first_name: 'Ayesha',
      last_name: 'Khan',
      address_1: '1 Mall Road',
      city: 'Lahore',
      postal_code: '54000',
      country_code: 'pk',
    };
    const post = (place: string, body: object = {}) =>
      wireRequest({
        method: 'POST',
        path: `/store/${place}`,
        headers: { ...json, 'x-publishable-api-key': seeded.key },
        body: JSON.stringify(body),
      });
    const idOf = ({ body }: Answer, kind: string) =>
      (JSON.parse(body) as Record<string, { id: string } | undefined>)[kind]?.id;
    let customers = 0;
    return async (send) => {
      customers += 1;
      const items = [{ variant_id: seeded.variant, quantity: 1 }];
      const contact = {
        email: `customer-${customers}@example.com`,
        shipping_address: address,
        billing_address: address,
      };
      const begun = await send(post('carts', { region_id: seeded.region, items, ...contact }));
      const cart = idOf(begun, 'cart');
      await send(post(`carts/${cart}/shipping-methods`, { option_id: seeded.shipping }));
      const payment = idOf(
        await send(post('payment-collections', { cart_id: cart })),
        'payment_collection',
      );
      await send(
        post(`payment-collections/${payment}/payment-sessions`, {
          provider_id: 'pp_system_default',
        }),
      );
      const done = await send(post(`carts/${cart}/complete`));
      return done.body.startsWith('{"type":"order"') ? undefined : done.body;
    };
  },
};

/** More connections make neither faster on two cores. */
const CONNECTIONS = 8;

export const commerce: Workload = {
  name: 'commerce',
  about: 'whole orders of commerce servers from npm, on the same Postgres',
  async run(bench) {
    if (!bench.options.peers) return;
    for (const peer of [vendure, medusa]) {
      if (isInstalled(peer.name)) await measurePeer(bench, peer);
      else bench.note(`${peer.name} is not installed: npm run bench:peers:install`);
    }
  },
};

async function measurePeer(bench: Bench, { name, env, journey }: Peer): Promise<void> {
  const database = await bench.cluster.createEmptyDatabase(`bench_${name}`);
  bench.say(`  ${name} makes its tables and starts`);
  const server = await startServer(database, {
    script: path.join(PEERS, name, 'server.mjs'),
    ready: '/health',
    env,
  });
  try {
    const load = { url: server.url, connections: CONNECTIONS, journey: journey() };
    await closedJourneys({ ...load, seconds: bench.options.commerceSeconds / 2 });
    for (let round = 1; round <= bench.options.rounds; round += 1) {
      const figures = await measured({ bench, server }, () =>
        closedJourneys({ ...load, seconds: bench.options.commerceSeconds }),
      );
      recordLoad(bench, {
        workload: 'commerce',
        contender: name,
        parameters: { connections: CONNECTIONS },
        round,
        figures,
      });
    }
  } finally {
    await server.stop();
    await database.drop();
    rmSync(SEEDED, { force: true });
  }
}

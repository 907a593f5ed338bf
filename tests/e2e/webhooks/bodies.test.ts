import { WEBHOOK_EXAMPLES } from '@munshi/api';
import Schema from 'typebox/schema';
import { afterAll, describe, expect } from 'vitest';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { fetchResolved } from '../../support/openapi.ts';
import { completeOrder, deliveryWhen, failedOrder } from '../../support/outcomes.ts';
import { type Received, startReceiver } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';

interface Webhook {
  readonly post: {
    readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': { readonly schema: object; readonly examples: object };
      };
    };
  };
}

const { test, service } = await serviceTest();
const receiver = await startReceiver();
const merchant = await createMerchant(service, { balance: '100000' });
const member = await createMember(service);
const { webhooks } = await fetchResolved<{
  readonly webhooks: Readonly<Record<string, Webhook>>;
}>(service.url, 'merchant');
afterAll(async () => {
  await receiver.close();
});

type Example = keyof typeof WEBHOOK_EXAMPLES;

/** Takes an order to the outcome of an example; answers the webhook as it arrived. */
async function delivered(example: Example): Promise<Received> {
  const callbackUrl = receiver.url;
  const account = { customerAccountNumber: '03001234567', customerAccountName: 'Ayesha Khan' };
  const body =
    example === 'withdrawalCompleted'
      ? { orderType: 'Withdrawal', walletType: 'ProviderB', ...account, callbackUrl }
      : { callbackUrl };
  if (example === 'failed') {
    const order = await failedOrder(service, merchant, { ...body, merchantOrderRef: null });
    return arrival(order);
  }
  const order = await createOrder(merchant, body);
  await completeOrder(service, order, member);
  return arrival(order);
}

async function arrival(order: { readonly orderId: string }): Promise<Received> {
  await deliveryWhen(service, order, { status: 'delivered' });
  return receiver.received.find(({ json }) => json.orderId === order.orderId) as Received;
}

/** The names of all fields in their order, those inside others too. */
const namesIn = (value: object): readonly unknown[] =>
  Object.entries(value).map(([name, inner]) =>
    typeof inner === 'object' && inner !== null ? [name, namesIn(inner)] : name,
  );

describe.each(Object.entries(WEBHOOK_EXAMPLES) as [Example, (typeof WEBHOOK_EXAMPLES)[Example]][])(
  '%s',
  (name, { value }) => {
    const schemaOf = (eventType: string) =>
      webhooks[eventType]?.post.requestBody.content['application/json'].schema as object;

    test('what is delivered has exactly the documented fields, in their order, and headers', async () => {
      const { json, headers } = await delivered(name);
      expect(json).toMatchObject({
        eventType: value.eventType,
        orderType: value.orderType,
        status: value.status,
        stage: value.stage,
      });
      expect(Schema.Errors(schemaOf(json.eventType), json)).toEqual([true, []]);
      expect(namesIn(json)).toEqual(namesIn(value));
      for (const { name: header, required } of webhooks[json.eventType]?.post.parameters ?? []) {
        if (required) expect(headers[header.toLowerCase()]).toEqual(expect.any(String));
      }
      expect(
        Object.keys(headers)
          .filter((header) => header.startsWith('x-svc-'))
          .sort(),
      ).toEqual(
        webhooks[json.eventType]?.post.parameters
          .map((parameter) => parameter.name.toLowerCase())
          .sort(),
      );
    });

    test('the example fits its schema, which takes no other field', () => {
      expect(Schema.Check(schemaOf(value.eventType), value)).toBe(true);
      expect(Schema.Check(schemaOf(value.eventType), { ...value, more: 1 })).toBe(false);
      expect(
        Schema.Check(schemaOf(value.eventType), {
          ...value,
          lifecycle: { ...value.lifecycle, stage: 'Completed' },
        }),
      ).toBe(false);
    });
  },
);

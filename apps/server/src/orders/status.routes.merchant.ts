import type { ApiKeyReader } from '../api-keys/store.ts';
import type { MerchantFace } from '../merchants/access.merchant.ts';
import { STATUS_BY_ID, STATUS_BY_REFERENCE } from '../merchants/schemas.merchant.ts';
import { sendError, sendUnauthenticated } from '../platform/http/errors.ts';
import type { StatusQuestion, StatusReader } from './status.store.ts';
import { isKeyActive, readStatus, sendStatus } from './status.view.merchant.ts';

const MERCHANT_REFERENCE_MAX = 200;
const ORDER_REFERENCE_MAX = 100;

/**
 * GET /api/merchant/orders/{id}/status and /api/merchant/orders/status. No signature; the read
 * checks the key (merchant-api.md#authentication).
 */
export function statusRoutes(
  { app, callerOf }: MerchantFace,
  { readers }: { readonly readers: StatusReader & ApiKeyReader },
): void {
  app.get<{ Params: { id: string } }>(
    '/orders/:id/status',
    { schema: STATUS_BY_ID },
    async (request, reply) => {
      return sendStatus(reply, await readStatus(readers, callerOf(request), request.params.id));
    },
  );

  app.get<{ Querystring: Record<string, string | string[] | undefined> }>(
    '/orders/status',
    { schema: STATUS_BY_REFERENCE, validatorCompiler: () => () => true },
    async (request, reply) => {
      const apiKeyHash = callerOf(request);
      const question = readQuery(request.query);
      if (typeof question === 'string')
        return (await isActive(apiKeyHash))
          ? sendError(reply, 400, question)
          : sendUnauthenticated(reply);
      if (question.value.includes('\0'))
        return sendStatus(reply, (await isActive(apiKeyHash)) ? 'not-found' : 'key-not-active');
      return sendStatus(reply, await readers.status({ apiKeyHash, ...question }));
    },
  );

  const isActive = (apiKeyHash: string) => isKeyActive(readers, apiKeyHash);
}

/**
 * The one reference asked for, or what is wrong with the query. An empty parameter counts as not
 * sent.
 */
function readQuery(
  query: Record<string, string | string[] | undefined>,
): Omit<StatusQuestion, 'apiKeyHash'> | string {
  const { orderReference, merchantOrderRef } = query;
  if (Array.isArray(orderReference)) return 'orderReference must be sent once.';
  if (Array.isArray(merchantOrderRef)) return 'merchantOrderRef must be sent once.';
  if (orderReference && merchantOrderRef)
    return 'Provide either an orderReference or a merchantOrderRef, not both.';
  if (orderReference)
    return withinLength(
      { by: 'orderReference', value: orderReference },
      'Order Reference',
      ORDER_REFERENCE_MAX,
    );
  if (merchantOrderRef)
    return withinLength(
      { by: 'merchantOrderRef', value: merchantOrderRef },
      'Merchant Order Ref',
      MERCHANT_REFERENCE_MAX,
    );
  return 'Provide an orderId, an orderReference or a merchantOrderRef.';
}

function withinLength(question: Omit<StatusQuestion, 'apiKeyHash'>, name: string, max: number) {
  const length = [...question.value].length;
  return length <= max
    ? question
    : `The length of '${name}' must be ${max} characters or fewer. You entered ${length} characters.`;
}

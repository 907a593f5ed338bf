import { MOVE_BODY, type MoveBody } from '@munshi/api';
import type { ApiKeyReader } from '../api-keys/store.ts';
import type { MerchantFace } from '../merchants/access.merchant.ts';
import { MOVE_ORDER } from '../merchants/schemas.merchant.ts';
import type { StatusReader } from '../orders/status.store.ts';
import { readStatus, sendStatus } from '../orders/status.view.merchant.ts';
import type { Deps } from '../people/deps.ts';
import { sendError } from '../platform/http/errors.ts';
import { useJson } from '../platform/http/json.ts';
import { moveOrder } from './moves.service.ts';

/** POST /api/merchant/sandbox/orders/{id} (testing.md): no signature, as nothing of it is real. */
export function moveRoute(
  { app, callerOf }: MerchantFace,
  deps: Deps & { readonly readers: StatusReader & ApiKeyReader },
): void {
  const { readers } = deps;
  app.register(async (scope) => {
    useJson(scope);
    scope.post<{ Params: { id: string }; Body: MoveBody }>(
      '/sandbox/orders/:id',
      {
        schema: { ...MOVE_ORDER, body: MOVE_BODY },
        onRequest: (request, _reply, done) => {
          request.raw.headers['content-type'] = 'application/json'; // what it says is ignored
          done();
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const apiKeyHash = callerOf(request);
        const order = await readStatus(readers, apiKeyHash, params.id);
        if (typeof order === 'string') return sendStatus(reply, order);
        const refused = await moveOrder(deps, order.orderId, body);
        if (refused !== undefined) return sendError(reply, 409, refused);
        return sendStatus(reply, await readStatus(readers, apiKeyHash, order.orderId));
      },
    );
  });
}

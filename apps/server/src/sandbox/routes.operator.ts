import { hash } from 'node:crypto';
import { MAKE_TEST_ORDER } from '@munshi/api';
import { type Order, readCreation, scanObject } from '@munshi/core';
import { creationContent } from '../engine/creation-content.ts';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { accepted, found, Refused } from '../platform/refusals.ts';
import { insertAuditOnce } from '../writes/audit-log.store.ts';
import type { Once } from '../writes/write.ts';
import { moveOrder, movesOrders } from './moves.service.ts';
import { findTestTerms } from './test-order.store.ts';

const TERMS = { orderType: 'Deposit', amount: 100 };

/** An order as a merchant would make it, taken to completion as customer and member would. */
export function testOrderRoute(face: OperatorFace, deps: Deps): void {
  bind(face, MAKE_TEST_ORDER, async ({ body: { merchantId } }, { actor, once }) => {
    if (!movesOrders(deps))
      throw new Refused('wrong-state', 'Test orders are not made where money is real.');
    const { orderId } = await createTestOrder(deps, merchantId, once);
    const entry = {
      actor,
      action: 'sandbox.move',
      target: orderId,
      detail: { to: 'Completed' },
    } as const;
    await insertAuditOnce(deps.database.pool, {
      auditId: once.commandId,
      ...entry,
      at: deps.clock.now(),
    });
    const refused = await moveOrder(deps, orderId, { to: 'Completed' });
    if (refused !== undefined) throw new Refused('wrong-state', refused);
    return { data: { orderId, status: 'Completed' as const } };
  });
}

async function createTestOrder(
  { database, engine, pageOrigin }: Deps,
  merchantId: string,
  { commandId }: Once,
): Promise<Order> {
  const terms = found(await findTestTerms(database.pool, merchantId), 'Merchant');
  const { keyId, apiKeyHash, walletType } = terms;
  if (keyId === null || apiKeyHash === null)
    throw new Refused('wrong-state', 'The merchant has no API key yet.');
  if (walletType === null)
    throw new Refused(
      'wrong-state',
      'No member with an approved account is online. Have one sign in to the member app and go online.',
    );
  const idempotencyKey = `test-${commandId}`;
  const sent = scanObject(JSON.stringify({ ...TERMS, walletType }));
  if (!sent.ok) throw new Error(sent.reason);
  const command = {
    kind: 'create-order',
    ...{ commandId, apiKeyHash, keyId, merchantId, idempotencyKey },
    digest: hash('md5', idempotencyKey),
    callerAddress: '',
    pageOrigin: pageOrigin(),
    content: creationContent(readCreation(sent.members, idempotencyKey)),
  } as const;
  return accepted(await engine.submit(command));
}

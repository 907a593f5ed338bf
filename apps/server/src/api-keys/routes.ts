import { ORDERS_LOOKED_THROUGH, type Page } from '@munshi/api';
import type { Deps } from '../people/deps.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { type ApiKeyRecord, listApiKeys, readLastOrdersOfKeys } from './store.ts';

/** A page of a merchant's keys, the newest first, each as `show` has it and with its last order. */
export async function answerKeys<Shown>(
  { database }: Pick<Deps, 'database'>,
  merchantId: string,
  query: Page,
  show: (key: ApiKeyRecord) => Shown,
) {
  const { pool } = database;
  const page = pageOf(query);
  const rows = await listApiKeys(pool, { merchantId, ...page.place });
  const last = await readLastOrdersOfKeys(pool, merchantId, ORDERS_LOOKED_THROUGH);
  return pageAnswer(
    page,
    rows,
    ({ keyId }) => keyId,
    (key) => ({ ...show(key), lastOrderAt: last.get(key.keyId) ?? null }),
  );
}

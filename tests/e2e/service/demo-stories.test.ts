import { ORDER_TYPES } from '@munshi/core';
import { expect, test } from 'vitest';
import { liveThrough } from '../../../apps/server/src/demo/fortnight.ts';
import { setClockBack } from '../../../apps/server/src/storage/maintenance/clock-offset.ts';
import { cloneDatabase } from '../../support/database.ts';
import { startService } from '../../support/service.ts';
import { expectSound } from '../../support/verify.ts';
import { statusesOf } from './demo-statuses.ts';

const DAYS = 2;

/** The last days of the demo's past. */
test('the demo’s stories are lived through by the ordinary faces, to every status but the legacy ones', async () => {
  const clone = await cloneDatabase();
  await setClockBack(clone.database.pool, DAYS * 86_400_000);
  const service = await startService({}, clone);
  await liveThrough(service.app, service.url, DAYS);
  for (const orderType of ORDER_TYPES) {
    const { rows } = await clone.database.pool.query<{ status: string }>(
      'select distinct status from orders where order_type = $1',
      [orderType],
    );
    expect(rows.map(({ status }) => status)).toEqual(
      expect.arrayContaining([...statusesOf(orderType)]),
    );
  }
  await expectSound(service);
  await service.close();
  await clone.drop();
}, 300_000);

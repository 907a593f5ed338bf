import type * as core from '@munshi/core';
import { expectTypeOf, test } from 'vitest';
import type { Currency, OrderType, Stage, Status, WalletType, WebhookEvent } from './index.ts';

test('the types that merchants install are those of the rules', () => {
  expectTypeOf<OrderType>().toEqualTypeOf<core.OrderType>();
  expectTypeOf<WalletType>().toEqualTypeOf<core.WalletType>();
  expectTypeOf<Currency>().toEqualTypeOf<core.Currency>();
  expectTypeOf<Stage>().toEqualTypeOf<core.Stage>();
  expectTypeOf<Status>().toEqualTypeOf<core.Status>();
  expectTypeOf<WebhookEvent['eventType']>().toEqualTypeOf<(typeof core.SENT_EVENTS)[number]>();
});

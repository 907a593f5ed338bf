import type { ADJUST_WALLET, CHANGE_MERCHANT, CREATE_FEE_RULE, SUSPEND_ACCOUNT } from '@munshi/api';
import type { useWrite } from '@munshi/web-ui';
import { expectTypeOf, test } from 'vitest';

type Taken<
  E extends
    | typeof CHANGE_MERCHANT
    | typeof SUSPEND_ACCOUNT
    | typeof ADJUST_WALLET
    | typeof CREATE_FEE_RULE,
> = Parameters<typeof useWrite<E>>[0];

test('what may wait is sent by `useMayWait`, which says so beforehand, and by nothing else', () => {
  expectTypeOf<Taken<typeof CREATE_FEE_RULE>>().toBeNever();
  expectTypeOf<Taken<typeof ADJUST_WALLET>>().toBeNever();
  expectTypeOf<Taken<typeof CHANGE_MERCHANT>>().toBeNever();
  expectTypeOf<Taken<typeof SUSPEND_ACCOUNT>>().not.toBeNever();
});

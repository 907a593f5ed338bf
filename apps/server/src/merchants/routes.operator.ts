import {
  CHANGE_MERCHANT,
  CREATE_MERCHANT,
  type Given,
  LIST_MERCHANTS,
  type MerchantEffectView,
  READ_MERCHANT,
  TEST_ADDRESS,
} from '@munshi/api';
import { takesOrders } from '@munshi/core';
import { operatorWrite } from '../door/door.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind, type RequestTo } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import {
  applyMerchantChange,
  createMerchant,
  explainMerchantChange,
  LOGO_BODY_BYTES,
  merchantChangeWaits,
  previewMerchantChange,
  readMerchantChange,
  testAddress,
} from './service.ts';
import { findMerchant, listMerchants, type MerchantRecord } from './store.ts';
import { showMerchant } from './view.operator.ts';

const WITH_LOGO = { bodyLimit: LOGO_BODY_BYTES };

/** Merchants. */
export function merchantRoutes(face: OperatorFace, deps: Deps): void {
  const { pool } = deps.database;
  const shownTo = (operator: Operator) => (merchant: MerchantRecord) =>
    showMerchant(merchant, operator, deps.pathPrefix);

  const create = async (request: RequestTo<typeof CREATE_MERCHANT>, caller: Operator) => {
    const work = await createMerchant(caller.actor.id, request.body);
    return { data: await doWrite(deps, caller, work, shownTo(caller)) };
  };
  bind(face, CREATE_MERCHANT, create, WITH_LOGO);

  bind(face, TEST_ADDRESS, async ({ params, body }) => ({
    data: await testAddress(deps, params.merchantId, body),
  }));

  bind(face, READ_MERCHANT, async (request, caller) => {
    const merchant = await findMerchant(pool, request.params.merchantId);
    return { data: shownTo(caller)(found(merchant, 'Merchant')) };
  });

  bind(face, LIST_MERCHANTS, async (request, caller) => {
    const { search = null, status = null } = request.query;
    const page = pageOf(request.query);
    const now = deps.clock.now();
    const rows = await listMerchants(pool, { search, status, now, ...page.place });
    const show = shownTo(caller);
    return pageAnswer(
      page,
      rows,
      ({ merchant }) => merchant.merchantId,
      ({ merchant, wallet, ordersOfDay, failingReceivers }) => ({
        ...show(merchant),
        availableBalance: wallet.balance - wallet.reserved,
        reservedBalance: wallet.reserved,
        ordersOfDay,
        failingReceivers,
      }),
    );
  });
}

/** The write of merchants that may wait for a second operator. */
export const merchantWrites = (deps: Deps) => ({
  CHANGE_MERCHANT: operatorWrite(
    deps,
    CHANGE_MERCHANT,
    {
      read: ({ params, body }) => readMerchantChange(params.merchantId, body),
      needsTwo: merchantChangeWaits,
      explain: explainMerchantChange,
      work: applyMerchantChange,
      show: (merchant, who) => showMerchant(merchant, who, deps.pathPrefix),
      preview: async ({ merchantId, change }) =>
        showEffect(await previewMerchantChange(deps, merchantId, change)),
    },
    WITH_LOGO,
  ),
});

const showEffect = ({
  before,
  after,
  ...standing
}: Awaited<ReturnType<typeof previewMerchantChange>>): Omit<
  Given<MerchantEffectView>,
  'preview' | 'wait' | 'limit'
> => ({
  status: { before: before.status, after: after.status },
  takesOrders: { before: takesOrders(before), after: takesOrders(after) },
  ...standing,
});

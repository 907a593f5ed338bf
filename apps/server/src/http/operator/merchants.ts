import {
  CHANGE_MERCHANT,
  type ChangeMerchant,
  CREATE_MERCHANT,
  type CreateMerchant,
  LIST_MERCHANTS,
  type ListMerchants,
  READ_BALANCE,
  READ_MERCHANT,
} from '@munshi/api';
import {
  CURRENCIES,
  type Currency,
  type Instant,
  isHttpUrl,
  parseBlock,
  WALLET_CURRENCY,
  WALLET_TYPES,
  WITHDRAWAL_METHODS,
} from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { uuidV7 } from '../../engine/ids.ts';
import type { Queryable } from '../../storage/db.ts';
import { listExchangeRates } from '../../storage/exchange-rates.ts';
import {
  findMerchant,
  findWallet,
  insertMerchant,
  insertWallet,
  listMerchants,
  lockMerchant,
  type MerchantRecord,
  updateMerchant,
} from '../../storage/merchants.ts';
import type { Deps } from '../deps.ts';
import { FieldErrors, jsonMoney, jsonTime, pageOf, Refused, sendData, sendList } from '../json.ts';
import { found, namesOf, recordedWrite } from './write.ts';

type Fields = Omit<ChangeMerchant, 'name' | 'status'>;

const show = (merchant: MerchantRecord) => ({
  ...merchant,
  createdAt: jsonTime(merchant.createdAt),
});

/** Merchants and their balances. */
export function merchantRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;

  app.post<{ Body: CreateMerchant }>(
    '/merchants',
    { schema: CREATE_MERCHANT },
    async (request, reply) => {
      checkFields(request.body);
      const merchant = await recordedWrite(deps, request, async (client, now) => {
        const defaults = {
          defaultCallbackUrl: null,
          depositMethods: WALLET_TYPES,
          withdrawalMethods: WITHDRAWAL_METHODS,
          currencies: [WALLET_CURRENCY],
          ipWhitelist: { enabled: false, entries: [] },
          displayName: null,
          brandColour: null,
        };
        const created: MerchantRecord = {
          ...defaults,
          ...asStored(request.body),
          merchantId: uuidV7(now),
          status: 'active',
          createdAt: now,
        };
        await requireRates(client, created.currencies, now);
        await insertMerchant(client, created);
        await insertWallet(client, created.merchantId);
        return {
          result: created,
          answer: show(created),
          action: 'merchant.create',
          target: created.merchantId,
          detail: { name: created.name },
        };
      });
      return sendData(reply, show(merchant));
    },
  );

  app.patch<{ Params: { merchantId: string }; Body: ChangeMerchant }>(
    '/merchants/:merchantId',
    { schema: CHANGE_MERCHANT },
    async (request, reply) => {
      checkFields(request.body);
      const merchant = await recordedWrite(deps, request, async (client, now) => {
        const before = found(await lockMerchant(client, request.params.merchantId), 'Merchant');
        const after: MerchantRecord = { ...before, ...asStored(request.body) };
        await requireRates(
          client,
          after.currencies.filter((currency) => !before.currencies.includes(currency)),
          now,
        );
        await updateMerchant(client, after);
        const detail = {
          fields: namesOf(request.body),
          ...(request.body.status && { status: after.status }),
        };
        return { result: after, action: 'merchant.update', target: after.merchantId, detail };
      });
      return sendData(reply, show(merchant));
    },
  );

  app.get<{ Params: { merchantId: string } }>(
    '/merchants/:merchantId',
    { schema: READ_MERCHANT },
    async (request, reply) =>
      sendData(
        reply,
        show(found(await findMerchant(database.pool, request.params.merchantId), 'Merchant')),
      ),
  );

  app.get<{ Querystring: ListMerchants }>(
    '/merchants',
    { schema: LIST_MERCHANTS },
    async (request, reply) => {
      const page = pageOf(request.query);
      const { search = null, status = null } = request.query;
      const rows = await listMerchants(database.pool, {
        search,
        status,
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(reply, page, rows, ({ merchantId }) => merchantId, show);
    },
  );

  app.get<{ Params: { merchantId: string } }>(
    '/merchants/:merchantId/balance',
    { schema: READ_BALANCE },
    async (request, reply) => {
      const { balance, reserved, frozen, overdrawn } = found(
        await findWallet(database.pool, request.params.merchantId),
        'Merchant',
      );
      return sendData(reply, {
        availableBalance: jsonMoney(balance - reserved),
        reservedBalance: jsonMoney(reserved),
        frozenBalance: jsonMoney(frozen),
        walletBalance: jsonMoney(balance),
        overdrawn,
        currency: WALLET_CURRENCY,
      });
    },
  );
}

const asStored = <T extends Fields>(fields: T): T =>
  fields.brandColour ? { ...fields, brandColour: fields.brandColour.toLowerCase() } : fields;

/**
 * Characters that are not seen and can make a name look like another one, or turn the text around
 * it: controls, line breaks, bidirectional overrides and isolates, zero-width and private
 * characters. Joiners belong to the scripts of our customers, variation selectors to emoji.
 */
const UNSEEN = /[\p{Cc}\p{Co}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{DI}]/u;

function wrongDisplayName(name: string): string | undefined {
  if (UNSEEN.test(name))
    return 'must not contain control, bidirectional or other invisible characters.';
  return /[\p{L}\p{N}]/u.test(name) ? undefined : 'must contain a letter or a digit.';
}

/**
 * What the schema cannot say: whether a URL and addresses are what they claim to be, and a name
 * what it looks like.
 */
function checkFields({ defaultCallbackUrl, ipWhitelist, displayName }: Fields): void {
  const errors: Record<string, string[]> = {};
  if (typeof defaultCallbackUrl === 'string' && !isHttpUrl(defaultCallbackUrl))
    errors['$.defaultCallbackUrl'] = ['must be an absolute http(s) URL.'];
  const wrongName = typeof displayName === 'string' ? wrongDisplayName(displayName) : undefined;
  if (wrongName !== undefined) errors['$.displayName'] = [wrongName];
  ipWhitelist?.entries.forEach(({ address }, at) => {
    if (parseBlock(address) === undefined)
      errors[`$.ipWhitelist.entries.${at}.address`] = [
        'must be an IPv4 or IPv6 address or a CIDR block.',
      ];
  });
  if (Object.keys(errors).length > 0) throw new FieldErrors(errors);
}

/** A merchant takes a currency only once it can be settled (D44). */
async function requireRates(
  db: Queryable,
  currencies: readonly Currency[],
  at: Instant,
): Promise<void> {
  const foreign = currencies.filter((currency) => currency !== WALLET_CURRENCY);
  if (foreign.length === 0) return;
  const known = (await listExchangeRates(db, { at, after: null, limit: CURRENCIES.length })).map(
    ({ currency }) => currency,
  );
  const missing = foreign.filter((currency) => !known.includes(currency));
  if (missing.length > 0)
    throw new Refused('wrong-state', `Set an exchange rate for ${missing.join(' and ')} first.`);
}

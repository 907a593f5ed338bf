import { answers, orNull, t } from '../platform/database/columns.ts';
import { readsOne } from '../platform/database/statement.ts';

/**
 * By what a test order of a merchant is made: their newest key, and a method for which a member who
 * is online has an account. Undefined without such a merchant.
 */
export const findTestTerms = readsOne(
  'find-test-terms',
  `select k.key_id, encode(k.key_hash, 'hex') as api_key_hash, a.wallet_type
   from merchants m
   left join lateral (
     select key_id, key_hash
     from api_keys
     where merchant_id = m.merchant_id and revoked_at is null
     order by key_id desc
     limit 1
   ) k on true
   left join lateral (
     select wallet_type
     from member_accounts
     join members using (member_id)
     where wallet_type = any(m.deposit_methods)
       and member_accounts.status = 'approved'
       and not paused
       and members.status = 'active'
       and online
     order by account_id
     limit 1
   ) a on true
   where m.merchant_id = $1`,
  answers({ keyId: orNull(t.uuid), apiKeyHash: orNull(t.text), walletType: orNull(t.text) }),
  (merchantId: string) => [merchantId],
);

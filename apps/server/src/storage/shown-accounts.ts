import type { MemberAccount } from '@munshi/core';
import type pg from 'pg';
import { fly, plainArray } from './flight.ts';

/** What people are shown of a member's account. It never changes: another number is another account. */
export type ShownAccount = Pick<MemberAccount, 'accountId' | 'walletType' | 'accountNumber' | 'accountTitle' | 'qrPayload'>;

const SHOWN_ACCOUNTS = `select a.account_id, a.wallet_type, a.account_number, a.account_title, a.qr_payload
  from unnest($1::uuid[]) with ordinality as q (account_id, n)
  left join lateral (select * from member_accounts where account_id = q.account_id limit 1) a on true order by q.n`;

/** Each by its id; undefined where there is none. */
export async function readShownAccounts(lane: pg.Client, accountIds: readonly string[]): Promise<readonly (ShownAccount | undefined)[]> {
  const [rows = []] = await fly(lane, [{ name: 'shown-accounts', text: SHOWN_ACCOUNTS, values: [plainArray(accountIds)] }]);
  return rows.map((row) =>
    row['account_id'] === null
      ? undefined
      : {
          accountId: row['account_id'],
          walletType: row['wallet_type'],
          accountNumber: row['account_number'],
          accountTitle: row['account_title'],
          qrPayload: row['qr_payload'],
        },
  );
}

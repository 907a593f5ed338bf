import type { MemberAccount } from '@munshi/core';
import type pg from 'pg';
import { fly, plainArray } from './flight.ts';
import type { Row } from './rows.ts';

/**
 * What people are shown of a member's account. It never changes: another number is another account.
 */
export type ShownAccount = Pick<
  MemberAccount,
  'accountId' | 'walletType' | 'accountNumber' | 'accountTitle' | 'qrPayload'
>;

/** Its part of a select list, also beside an order's columns. */
export const shownAccountColumns = (alias: string) =>
  `${alias}.account_id, ${alias}.wallet_type as account_method, ${alias}.account_number, ${alias}.account_title, ${alias}.qr_payload`;

/** Null where the row has no account. */
export const readShownAccount = (row: Row): ShownAccount | null =>
  row['account_id'] === null
    ? null
    : {
        accountId: row['account_id'],
        walletType: row['account_method'],
        accountNumber: row['account_number'],
        accountTitle: row['account_title'],
        qrPayload: row['qr_payload'],
      };

const SHOWN_ACCOUNTS = `select ${shownAccountColumns('a')} from unnest($1::uuid[]) with ordinality as q (account_id, n)
  left join lateral (select * from member_accounts where account_id = q.account_id limit 1) a on true order by q.n`;

/** Each by its id; undefined where there is none. */
export async function readShownAccounts(
  lane: pg.Client,
  accountIds: readonly string[],
): Promise<readonly (ShownAccount | undefined)[]> {
  const [rows = []] = await fly(lane, [
    { name: 'shown-accounts', text: SHOWN_ACCOUNTS, values: [plainArray(accountIds)] },
  ]);
  return rows.map((row) => readShownAccount(row) ?? undefined);
}

import type { AlertChannel, Instant } from '@munshi/core';
import { answers, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { execute, query, statement, writes } from '../platform/database/statement.ts';
import type { SealedSecret } from '../platform/vault.ts';

/** A channel as it is stored. Its URL and headers are sealed: they may hold tokens. */
export interface StoredChannel extends SealedSecret {
  readonly position: AlertChannel;
  readonly afterSeconds: number;
  readonly origin: string;
  readonly headerNames: readonly string[];
  readonly bodyTemplate: string;
  readonly changedAt: Instant;
}

const READ = statement(
  'read-alert-channels',
  `select *
   from alert_channels
   order by position`,
  answers({
    position: t.oneOf<AlertChannel>(),
    afterSeconds: t.integer,
    url: t.text,
    headerNames: t.listOf<string>(),
    bodyTemplate: t.text,
    sealedHeaders: t.bytes,
    sealKeyId: t.text,
    changedAt: t.instant,
  }),
);

/** Those that are set up, the second before the third. */
export async function readChannels(db: Queryable): Promise<readonly StoredChannel[]> {
  return (await query(db, READ)).map((row) => ({
    position: row.position,
    afterSeconds: row.afterSeconds,
    origin: row.url,
    headerNames: row.headerNames,
    bodyTemplate: row.bodyTemplate,
    sealed: row.sealedHeaders,
    sealKeyId: row.sealKeyId,
    changedAt: row.changedAt,
  }));
}

export const putChannel = writes(
  'put-alert-channel',
  // `url` is the origin alone; `sealed_headers` has the whole URL too.
  `insert into alert_channels (
     position, after_seconds, url, header_names, body_template, sealed_headers, seal_key_id,
     changed_at
   )
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (position) do update
   set after_seconds = excluded.after_seconds,
     url = excluded.url,
     header_names = excluded.header_names,
     body_template = excluded.body_template,
     sealed_headers = excluded.sealed_headers,
     seal_key_id = excluded.seal_key_id,
     changed_at = excluded.changed_at`,
  (channel: StoredChannel) => [
    channel.position,
    channel.afterSeconds,
    channel.origin,
    channel.headerNames,
    channel.bodyTemplate,
    channel.sealed,
    channel.sealKeyId,
    time(channel.changedAt),
  ],
);

const DELETE = statement(
  'delete-alert-channel',
  `delete from alert_channels
   where position = $1`,
);

/** Answers whether there was such a one. */
export async function deleteChannel(db: Queryable, position: AlertChannel): Promise<boolean> {
  return (await execute(db, DELETE, [position])) === 1;
}

/** Turns every channel off that none of these seals has sealed. */
export const forgetChannelsSealedOtherwise = writes(
  'forget-alert-channels-sealed-otherwise',
  `delete from alert_channels
   where seal_key_id <> all($1::text[])`,
  (sealKeyIds: readonly string[]) => [sealKeyIds],
);

import type { AlertChannel } from '@munshi/core';
import {
  assignedFrom,
  columns,
  from,
  insertion,
  type RecordFrom,
  t,
} from '../platform/database/columns.ts';
import { readsAll, writes, writesOne } from '../platform/database/statement.ts';

const SETTINGS = {
  afterSeconds: t.integer,
  /** The whole URL is sealed, as the headers are. */
  origin: from('url', t.text),
  headerNames: t.listOf<string>(),
  bodyTemplate: t.text,
  sealed: from('sealed_headers', t.bytes),
  sealKeyId: t.text,
  changedAt: t.instant,
};
const STORED = { position: t.oneOf<AlertChannel>(), ...SETTINGS };
/** A channel as it is stored. Its URL and headers are sealed: they may hold tokens. */
export type StoredChannel = RecordFrom<typeof STORED>;

const CHANNEL = columns('', STORED);
/** Those that are set up, the second before the third. */
export const readChannels = readsAll(
  'read-alert-channels',
  `select ${CHANNEL.list}
   from alert_channels
   order by position`,
  CHANNEL,
);

const NEW = insertion('alert_channels', STORED);
export const putChannel = writes(
  'put-alert-channel',
  `${NEW.into}
   on conflict (position) do update
   set ${assignedFrom('excluded', SETTINGS)}`,
  NEW.valuesOf,
);

/** Answers whether there was such a one. */
export const deleteChannel = writesOne(
  'delete-alert-channel',
  `delete from alert_channels
   where position = $1`,
  (position: AlertChannel) => [position],
);

/** Turns every channel off that none of these seals has sealed. */
export const forgetChannelsSealedOtherwise = writes(
  'forget-alert-channels-sealed-otherwise',
  `delete from alert_channels
   where seal_key_id <> all($1::text[])`,
  (sealKeyIds: readonly string[]) => [sealKeyIds],
);

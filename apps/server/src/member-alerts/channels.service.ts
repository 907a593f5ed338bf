import { type AlertChannel, type AlertFields, fillTemplate } from '@munshi/core';
import type { Outbound, PostResult } from '../platform/outbound/outbound.ts';
import { fieldError, found } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Work } from '../writes/write.ts';
import { changesOf, type OperatorCaller, recordedWrite } from '../writes/write.ts';
import { deleteChannel, putChannel, readChannels, type StoredChannel } from './channels.store.ts';

/** The second and third way to alert a member: HTTPS calls that operators set up. */

type Deps = Pick<ServiceDeps, 'clock' | 'database' | 'ids' | 'vault'> & {
  readonly outbound: Outbound;
};

/** Default delays after an alert that was not seen. */
const AFTER_SECONDS: Readonly<Record<AlertChannel, number>> = { second: 20, third: 60 };
const BODY_TEMPLATE = '{"text": "{kind}: {amount} {currency}, {member}"}';
const JSON_TYPE = 'application/json';
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Of the connection, not of the message. */
const REFUSED_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** What is sealed of a channel. */
interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** In which row a channel opens. */
export const channelSealOwner = (position: AlertChannel) => ({
  merchantId: 'platform',
  keyId: `alert-${position}`,
});

const openCall = ({ vault }: Pick<Deps, 'vault'>, channel: StoredChannel): Call =>
  JSON.parse(vault.open({ ...channel, ...channelSealOwner(channel.position) }));

export interface ChannelChange {
  readonly position: AlertChannel;
  readonly afterSeconds?: number;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bodyTemplate?: string;
}

/**
 * Sets a channel up, or changes it; what is left out stays. Throws FieldErrors: headers are given
 * again with another host, so that nobody sends those they cannot read somewhere else.
 */
export const setChannel =
  (deps: Deps, change: ChannelChange): Work<StoredChannel> =>
  async (client, now) => {
    const { position } = change;
    const before = (await readChannels(client)).find((one) => one.position === position);
    const call = callOf(change, before && openCall(deps, before), deps.outbound);
    const bodyTemplate = change.bodyTemplate ?? before?.bodyTemplate ?? BODY_TEMPLATE;
    checkTemplate(bodyTemplate, call);
    const result: StoredChannel = {
      position,
      afterSeconds: change.afterSeconds ?? before?.afterSeconds ?? AFTER_SECONDS[position],
      origin: new URL(call.url).origin,
      headerNames: Object.keys(call.headers),
      bodyTemplate,
      changedAt: now,
      ...deps.vault.seal(JSON.stringify(call), channelSealOwner(position)),
    };
    await putChannel(client, result);
    const shown = shownOf(result);
    const detail = { position, ...shown, ...(before && changesOf(shownOf(before), shown, shown)) };
    return { result, action: 'alert-channel.set', target: 'settings', detail };
  };

/** What the audit log has of a channel: of its URL where it leads, of its headers the names. */
const shownOf = ({ afterSeconds, origin, headerNames, bodyTemplate }: StoredChannel) => ({
  afterSeconds,
  origin,
  headers: headerNames.join(', '),
  bodyTemplate,
});

function callOf(change: ChannelChange, before: Call | undefined, { allowsHttp }: Outbound): Call {
  const url = change.url ?? before?.url;
  if (url === undefined) throw fieldError('url', 'is needed for a new channel.');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isAllowed = parsed?.protocol === 'https:' || (allowsHttp && parsed?.protocol === 'http:');
  if (parsed === undefined || !isAllowed) throw fieldError('url', 'must be an https: URL.');
  if (parsed.username !== '' || parsed.password !== '')
    throw fieldError('url', 'must not hold a username or password; send a header.');
  const headers = change.headers ?? before?.headers ?? {};
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || REFUSED_HEADERS.has(name.toLowerCase()))
      throw fieldError('headers', `cannot set ${name}.`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header cannot hold
    if (/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value))
      throw fieldError('headers', `${name} has a character that a header cannot hold.`);
  }
  const keeps = change.headers === undefined && Object.keys(headers).length > 0;
  if (keeps && before !== undefined && new URL(before.url).origin !== parsed.origin)
    throw fieldError('headers', 'must be given again with another host.');
  return { url, headers };
}

function checkTemplate(template: string, call: Call): void {
  if (!/json/i.test(contentTypeOf(call))) return;
  try {
    JSON.parse(fillTemplate(template, SAMPLE, JSON_TYPE));
  } catch {
    throw fieldError('bodyTemplate', 'is not JSON once it is filled in.');
  }
}

const contentTypeOf = ({ headers }: Call): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? JSON_TYPE;

/** What a test says. */
const SAMPLE: AlertFields = {
  orderId: '00000000-0000-0000-0000-000000000000',
  kind: 'test',
  amount: '1234.5',
  currency: 'PKR',
  member: 'A member',
  username: 'member',
  memberId: '00000000-0000-0000-0000-000000000000',
};

/** Turns a channel off. Throws `not-found`. */
export const removeChannel =
  (position: AlertChannel): Work<{ readonly removed: boolean }> =>
  async (client) => {
    const removed = await deleteChannel(client, position);
    found(removed || undefined, 'Channel');
    const detail = { position };
    return { result: { removed }, action: 'alert-channel.remove', target: 'settings', detail };
  };

/** Sends an alert by a channel. */
export function sendByChannel(
  deps: Pick<Deps, 'vault' | 'outbound'>,
  channel: StoredChannel,
  fields: AlertFields,
): Promise<PostResult> {
  const call = openCall(deps, channel);
  const contentType = contentTypeOf(call);
  const headers = Object.entries({ 'content-type': contentType, ...call.headers });
  return deps.outbound.post({
    url: call.url,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: Buffer.from(fillTemplate(channel.bodyTemplate, fields, contentType)),
  });
}

/** Sends a test by a channel, after it was written down who did. Throws `not-found`. */
export async function testChannel(
  deps: Deps,
  caller: OperatorCaller,
  position: AlertChannel,
): Promise<PostResult> {
  const channels = await readChannels(deps.database.pool);
  const channel = found(
    channels.find((one) => one.position === position),
    'Channel',
  );
  const detail = { position, origin: channel.origin };
  const written = {
    result: undefined,
    action: 'alert-channel.test' as const,
    target: 'settings',
    detail,
  };
  await recordedWrite(deps, caller, async () => written, null);
  return sendByChannel(deps, channel, { ...SAMPLE, member: caller.actor.name });
}

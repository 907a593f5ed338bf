import type { OrderType } from './method.ts';

/** An address or CIDR block from which a merchant may create orders of that kind. */
export interface WhitelistEntry {
  readonly address: string;
  readonly scope: OrderType | 'Both';
}

interface Block {
  readonly bits: bigint;
  /** Leading bits that count, of 128. */
  readonly prefix: number;
}

const V4_IN_V6 = 0xffffn << 32n;

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (
    parts.length !== 4 ||
    !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  )
    return undefined;
  return V4_IN_V6 | parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function parseV6(text: string): bigint | undefined {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (dotted) {
    const v4 = parseV4(dotted[2] as string);
    if (v4 === undefined) return undefined;
    const low = v4 & 0xffffffffn;
    return parseV6(`${dotted[1]}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`);
  }
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const head = groups[0] as string[];
  const tail = groups[1] ?? [];
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const all = [...head, ...Array<string>(missing).fill('0'), ...tail];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return all.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/**
 * Reads an IPv4 or IPv6 address, or a CIDR block of either; IPv4 and IPv4-mapped IPv6 are the same
 * addresses.
 */
export function parseBlock(text: string): Block | undefined {
  const [address, length, ...rest] = text.trim().split('/');
  if (address === undefined || rest.length > 0) return undefined;
  const v4 = parseV4(address);
  const bits = v4 ?? parseV6(address.split('%')[0] as string);
  if (bits === undefined) return undefined;
  const width = v4 === undefined ? 128 : 32;
  if (length === undefined) return { bits, prefix: 128 };
  if (!/^\d{1,3}$/.test(length) || Number(length) > width) return undefined;
  return { bits, prefix: 128 - width + Number(length) };
}

/** Whether the address lies in the block; false when it is no address. */
export function inBlock(address: string, block: Block): boolean {
  const bits = parseBlock(address)?.bits;
  if (bits === undefined) return false;
  const shift = BigInt(128 - block.prefix);
  return bits >> shift === block.bits >> shift;
}

/** Whether everybody whom an entry lets in is let in by one of these entries already. */
export const isCovered = (entry: WhitelistEntry, entries: readonly WhitelistEntry[]): boolean =>
  entries.some(({ address, scope }) => {
    const [outer, inner] = [parseBlock(address), parseBlock(entry.address)];
    if (outer === undefined || inner === undefined || outer.prefix > inner.prefix) return false;
    const shift = BigInt(128 - outer.prefix);
    return (
      (scope === 'Both' || scope === entry.scope) && inner.bits >> shift === outer.bits >> shift
    );
  });

const V4_COUNT = 1n << 32n;
const V6_COUNT = 1n << 128n;
/**
 * Blocks that cover more than this part of all addresses count as everybody (settings.md); all
 * private ranges together are far below it.
 */
const EVERYBODY_PART = 16n;

/** Whether blocks together cover so much of IPv4 or IPv6 that they count as everybody. */
export function areEverybody(blocks: readonly string[]): boolean {
  const ranges = blocks
    .flatMap((text) => parseBlock(text) ?? [])
    .map(({ bits, prefix }) => {
      const size = 1n << BigInt(128 - prefix);
      return { from: bits & -size, to: (bits & -size) + size };
    })
    .sort((left, right) => (left.from < right.from ? -1 : 1));
  const countWithin = (low: bigint, high: bigint) => {
    let [count, reached] = [0n, low];
    for (const { from, to } of ranges) {
      const [start, end] = [from > reached ? from : reached, to < high ? to : high];
      if (end > start) [count, reached] = [count + end - start, end];
    }
    return count;
  };
  return (
    countWithin(V4_IN_V6, V4_IN_V6 + V4_COUNT) * EVERYBODY_PART > V4_COUNT ||
    countWithin(0n, V6_COUNT) * EVERYBODY_PART > V6_COUNT
  );
}

/** Whether a whitelist lets this caller create orders of that type. */
export const isListed = (
  entries: readonly WhitelistEntry[],
  address: string,
  orderType: OrderType,
): boolean => listedBy(entries, address, orderType) !== undefined;

/** The first entry that lets this caller create orders of that type. */
export function listedBy(
  entries: readonly WhitelistEntry[],
  address: string,
  orderType: OrderType,
): WhitelistEntry | undefined {
  return entries.find(({ address: text, scope }) => {
    const block = scope === 'Both' || scope === orderType ? parseBlock(text) : undefined;
    return block !== undefined && inBlock(address, block);
  });
}

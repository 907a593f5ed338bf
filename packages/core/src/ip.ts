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

/** The addresses of a block: the first, and the one behind the last. */
function rangeOf({ bits, prefix }: Block) {
  const size = 1n << BigInt(128 - prefix);
  return { from: bits & -size, to: (bits & -size) + size };
}

interface ReadEntry {
  readonly entry: WhitelistEntry;
  /** Undefined where it is no address or block: it lets nobody in. */
  readonly range: ReturnType<typeof rangeOf> | undefined;
}

/** Each list is read once: it may have 500 entries, and every creation of an order asks it. */
const readLists = new WeakMap<readonly WhitelistEntry[], readonly ReadEntry[]>();

function readEntries(entries: readonly WhitelistEntry[]): readonly ReadEntry[] {
  const known = readLists.get(entries);
  if (known !== undefined) return known;
  const read = entries.map((entry) => {
    const block = parseBlock(entry.address);
    return { entry, range: block && rangeOf(block) };
  });
  readLists.set(entries, read);
  return read;
}

const isFor = ({ scope }: WhitelistEntry, asked: WhitelistEntry['scope']) =>
  scope === 'Both' || scope === asked;

/** Whether everybody whom these entries let in is let in by the others already. */
export function areCovered(
  entries: readonly WhitelistEntry[],
  others: readonly WhitelistEntry[],
): boolean {
  const outer = readEntries(others);
  return readEntries(entries).every(
    ({ entry, range: inner }) =>
      inner !== undefined &&
      outer.some(
        ({ entry: other, range }) =>
          range !== undefined &&
          isFor(other, entry.scope) &&
          range.from <= inner.from &&
          inner.to <= range.to,
      ),
  );
}

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
    .map(rangeOf)
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
  const bits = parseBlock(address)?.bits;
  if (bits === undefined) return undefined;
  return readEntries(entries).find(
    ({ entry, range }) =>
      range !== undefined && isFor(entry, orderType) && range.from <= bits && bits < range.to,
  )?.entry;
}

import { BlockList, isIP } from 'node:net';

/** Where webhooks may go: public addresses, and in development private ones too. */
export interface AddressRules {
  readonly allowPrivate: boolean;
}

type Block = readonly [address: string, prefix: number];

/** Loopback and private networks: allowed by the development switch alone. */
const PRIVATE_4: readonly Block[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // shared, behind carrier NAT
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];
const PRIVATE_6: readonly Block[] = [
  ['::1', 128],
  ['fc00::', 7],
];

/** IPv4 that is never public (IANA special-purpose registry), beside the private ranges. */
const SPECIAL_4: readonly Block[] = [
  ['0.0.0.0', 8], // this network
  ['169.254.0.0', 16], // link-local, and where clouds keep their metadata
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/**
 * Metadata services of clouds, which hand out a machine's credentials, in ranges that are otherwise
 * allowed. Refused in development too, which may run in a cloud. Those of most clouds (link-local)
 * and of Oracle (192.0.0.192) are refused with their ranges.
 */
const CLOUD_4: readonly Block[] = [
  ['168.63.129.16', 32], // Azure
  ['100.100.100.200', 32], // Alibaba
];
const CLOUD_6: readonly Block[] = [
  ['fd00:ec2::', 32], // Amazon: metadata, names, time
  ['fd20:ce::254', 128], // Google
  ['fd00:42::42', 128], // Scaleway
];

/**
 * Of IPv6 only global unicast is public: mapped, NAT64 (64:ff9b::), unique local, link-local and
 * multicast are outside it.
 */
const GLOBAL_6: Block = ['2000::', 3];
/** Within global unicast, but not public. */
const SPECIAL_6: readonly Block[] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks, AMT, AS112
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: carries an IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3ffe::', 16], // 6bone, returned
  ['3fff::', 20], // documentation
];

const listOf = (blocks: readonly Block[], family: 'ipv4' | 'ipv6') => {
  const list = new BlockList();
  for (const [address, prefix] of blocks) list.addSubnet(address, prefix, family);
  return list;
};
const cloud4 = listOf(CLOUD_4, 'ipv4');
const cloud6 = listOf(CLOUD_6, 'ipv6');
const private4 = listOf(PRIVATE_4, 'ipv4');
const private6 = listOf(PRIVATE_6, 'ipv6');
const special4 = listOf(SPECIAL_4, 'ipv4');
const special6 = listOf(SPECIAL_6, 'ipv6');
const global6 = listOf([GLOBAL_6], 'ipv6');

/**
 * Whether a webhook may be sent to this IP address (merchant-api.md#request, decision 14). False
 * for text that is no IP address, and for one with a scope (`fe80::1%eth0`).
 */
export function isAllowedAddress(address: string, { allowPrivate }: AddressRules): boolean {
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4 && cloud4.check(address)) return false;
  if (family === 4) return private4.check(address) ? allowPrivate : !special4.check(address);
  if (family !== 6) return false;
  if (cloud6.check(address, 'ipv6')) return false;
  if (private6.check(address, 'ipv6')) return allowPrivate;
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}

/**
 * Ports of other protocols, which a posted body could be mistaken for: the list that browsers
 * refuse (Fetch standard, "bad port").
 */
const REFUSED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

export type Destination =
  | {
      readonly ok: true;
      readonly url: URL;
      /** Set when the URL names an address instead of a host. */
      readonly address: string | undefined;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads a callback URL, and refuses what can be refused without a DNS lookup. An address is
 * recognised however it is written (`0x7f.1`, `2130706433`, `0177.0.0.1`, full-width digits), as
 * the URL standard says.
 */
export function readDestination(text: string, rules: AddressRules): Destination {
  if (!URL.canParse(text)) return { ok: false, reason: 'The callback URL cannot be read.' };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { ok: false, reason: `Refused: ${url.protocol} is neither http: nor https:.` };
  if (url.port !== '' && REFUSED_PORTS.has(Number(url.port)))
    return { ok: false, reason: `Refused: port ${url.port} belongs to another protocol.` };
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) === 0) return { ok: true, url, address: undefined };
  return isAllowedAddress(host, rules)
    ? { ok: true, url, address: host }
    : { ok: false, reason: notPublic(host) };
}

export const notPublic = (address: string) => `Refused: ${address} is not a public address.`;

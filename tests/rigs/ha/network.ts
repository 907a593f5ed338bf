import { execFileSync } from 'node:child_process';

/**
 * A network of this machine's own, with a namespace for each node, which can be cut off and put
 * back. The bridge has a namespace too, where no firewall of the machine's looks at it. Needs root.
 */
export interface Network {
  /** What runs a program in the node's namespace, as the first words of its command. */
  inside(node: number): readonly string[];
  cut(node: number): void;
  heal(node: number): void;
  close(): void;
}

const HUB = 'munshi-ha-hub';
const OUTSIDE = 'munshi-ha0';
const namespace = (node: number) => `munshi-ha-${node}`;
/** Of the addresses that are set aside for tests of networks (RFC 2544). */
export const addressOf = (node: number): string => `198.18.99.${node}`;

const ip = (words: string) => execFileSync('ip', words.split(' '), { stdio: 'pipe' });
const inHub = (words: string) => ip(`netns exec ${HUB} ip ${words}`);

export function createNetwork(nodes: readonly number[]): Network {
  ip(`netns add ${HUB}`);
  inHub('link add bridge type bridge');
  inHub('link set bridge up');
  ip(`link add ${OUTSIDE} type veth peer name outside netns ${HUB}`);
  inHub('link set outside master bridge up');
  ip(`addr add ${addressOf(254)}/24 dev ${OUTSIDE}`);
  ip(`link set ${OUTSIDE} up`);
  for (const node of nodes) {
    const own = namespace(node);
    ip(`netns add ${own}`);
    ip(`-netns ${HUB} link add node${node} type veth peer name eth0 netns ${own}`);
    inHub(`link set node${node} master bridge up`);
    ip(`-netns ${own} addr add ${addressOf(node)}/24 dev eth0`);
    ip(`-netns ${own} link set eth0 up`);
    ip(`-netns ${own} link set lo up`);
  }
  return {
    inside: (node) => ['ip', 'netns', 'exec', namespace(node)],
    cut: (node) => {
      inHub(`link set node${node} down`);
    },
    heal: (node) => {
      inHub(`link set node${node} up`);
    },
    close() {
      for (const name of [...nodes.map(namespace), HUB]) ip(`netns del ${name}`);
    },
  };
}

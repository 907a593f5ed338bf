import { randomUUID } from 'node:crypto';
import { signedOrder, type TestMerchant } from '../../support/fixtures.ts';
import type { Patroni } from './patroni.ts';
import type { SupervisedFleet } from './supervised-fleet.ts';

/**
 * Looks at each process four times a second, by an order and by a read that nobody repeats, and at
 * who leads.
 */
export interface Watch {
  /** What was seen since the last call. */
  look(): Seen;
  /** The orders of its own that were acknowledged. */
  readonly acknowledged: readonly string[];
  stop(): Promise<void>;
}

export interface Seen {
  /** The longest time without a good answer of any process, and of the worse one. */
  readonly noWritesMs: number;
  readonly noWritesOfOneMs: number;
  readonly noReadsMs: number;
  readonly noReadsOfOneMs: number;
  /**
   * Until the slower process made an order, since the newest primary took commits or since the
   * process was up again; undefined if the primary stayed.
   */
  readonly backMs: number | undefined;
  /** Of answers; more than ten seconds is no answer. */
  readonly slowestMs: number;
  readonly late: number;
}

interface Try {
  readonly kind: 'write' | 'read';
  readonly process: number;
  readonly sent: number;
  readonly ended: number;
  readonly outcome: 'good' | 'refused' | 'late' | 'cut';
}

const EVERY_MS = 250;
const LATE_MS = 10_000;

export function watchFleet(
  patroni: Pick<Patroni, 'leader' | 'commits'>,
  fleet: SupervisedFleet,
  merchant: TestMerchant,
): Watch {
  const acknowledged: string[] = [];
  let tries: Try[] = [];
  let primary: { readonly node: number | undefined; readonly since: number } = {
    node: undefined,
    since: 0,
  };
  let from = performance.now();
  const underway = new Set<Promise<void>>();
  const processes = Array.from({ length: fleet.size }, (_, number) => number);

  const write = async (url: string) => {
    const body = {
      orderType: 'Deposit',
      amount: 5,
      walletType: 'TillID',
      merchantOrderRef: randomUUID(),
    };
    const answer = await signedOrder({ ...merchant, url }, body);
    if (answer.status !== 200) return answer.status;
    const { data } = (await answer.json()) as { readonly data: { readonly orderId: string } };
    acknowledged.push(data.orderId);
    return answer.status;
  };
  const read = async (url: string) => {
    const headers = { 'SVC-API-Key': merchant.apiKey };
    const answer = await fetch(`${url}/api/merchant/orders/balance`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  async function once(kind: Try['kind'], process: number) {
    const sent = performance.now();
    const status = await (kind === 'write' ? write : read)(fleet.at(process).url).catch(() => 0);
    const ended = performance.now();
    const late = ended - sent > LATE_MS;
    const answered = status === 200 ? 'good' : status === 0 ? 'cut' : 'refused';
    tries.push({ kind, process, sent, ended, outcome: late ? 'late' : answered });
  }
  const track = (work: Promise<void>) => {
    underway.add(work);
    work.finally(() => underway.delete(work));
  };
  let looking = false;
  async function lookForPrimary() {
    if (looking) return;
    looking = true;
    const node = await patroni.leader();
    if (node !== primary.node && (node === undefined || (await patroni.commits(node))))
      primary = { node, since: performance.now() };
    looking = false;
  }
  const clock = setInterval(() => {
    track(lookForPrimary());
    for (const process of processes)
      for (const kind of ['write', 'read'] as const) track(once(kind, process));
  }, EVERY_MS);

  /** The longest time between good answers. */
  function gap(kind: Try['kind'], to: number, process?: number): number {
    const good = tries
      .filter((one) => one.kind === kind && one.outcome === 'good')
      .filter((one) => process === undefined || one.process === process)
      .map(({ ended }) => ended);
    const times = [from, ...good, to].toSorted((a, b) => a - b);
    return Math.round(Math.max(...times.slice(1).map((at, n) => at - (times[n] as number))));
  }
  function back(process: number): number {
    const since = Math.max(primary.since, fleet.upAt(process));
    const first = tries
      .filter((one) => one.kind === 'write' && one.process === process && one.outcome === 'good')
      .map(({ ended }) => ended)
      .filter((ended) => ended > since);
    return Math.round(Math.min(...first) - since);
  }

  return {
    acknowledged,
    look() {
      const to = performance.now();
      const worse = (kind: Try['kind']) => Math.max(...processes.map((one) => gap(kind, to, one)));
      const answered = tries.filter(({ outcome }) => outcome === 'good' || outcome === 'refused');
      const seen = {
        noWritesMs: gap('write', to),
        noWritesOfOneMs: worse('write'),
        noReadsMs: gap('read', to),
        noReadsOfOneMs: worse('read'),
        backMs: primary.since < from ? undefined : Math.max(...processes.map(back)),
        slowestMs: Math.round(Math.max(...answered.map(({ sent, ended }) => ended - sent))),
        late: tries.filter(({ outcome }) => outcome === 'late').length,
      };
      tries = [];
      from = to;
      return seen;
    },
    async stop() {
      clearInterval(clock);
      await Promise.all(underway);
    },
  };
}

import { pace } from '../../support/pace.ts';

/** A member's browser: it connects again whenever its stream ends, to wherever `url` leads then. */
export interface MemberStream {
  /** What came so far; may be emptied. */
  readonly received: { text: string };
  close(): Promise<void>;
}

export function openMemberStream(url: () => string, token: string): MemberStream {
  const received = { text: '' };
  const stop = new AbortController();
  const read = async () => {
    const response = await fetch(`${url()}/api/member/events`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: stop.signal,
    });
    if (response.ok)
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        received.text += Buffer.from(chunk).toString();
  };
  const reading = (async () => {
    while (!stop.signal.aborted) {
      await read().catch(() => {});
      await pace(200); // pace: a browser waits before it connects again
    }
  })();
  return {
    received,
    async close() {
      stop.abort();
      await reading;
    },
  };
}

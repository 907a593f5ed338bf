/** What came of a call to another server. */
export interface PostResult {
  readonly outcome: 'acknowledged' | 'answered' | 'timeout' | 'stalled' | 'refused' | 'failed';
  readonly responseStatus: number | null;
  /** Why it failed; null where it was answered with 2xx. */
  readonly error: string | null;
  /** The first KB of the answer. */
  readonly answer: string | null;
  readonly durationMs: number;
}

/** The way to other servers, to public addresses alone: the connector of the webhooks. */
export interface Outbound {
  /** Never throws. */
  post(call: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
  }): Promise<PostResult>;
  /** In development: without TLS too. */
  readonly allowsHttp: boolean;
  /** Who sends, as push services want to know it: an https: or mailto: URL. */
  readonly contact: string;
}

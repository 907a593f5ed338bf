// biome-ignore lint/suspicious/noExplicitAny: tests compare what they expect
type Json = any;

export interface MemberAnswer {
  readonly status: number;
  readonly text: string;
  readonly json: Json;
}

/** The member or portal face as a script with a token uses it. */
export interface MemberClient {
  readonly token: string;
  /** `key` is its Idempotency-Key. */
  call(method: string, path: string, body?: object, key?: string): Promise<MemberAnswer>;
  /** With the body's text as given. */
  raw(method: string, path: string, body: string, key?: string): Promise<MemberAnswer>;
  /** The `data` of a call. Throws unless it is 200. */
  data(method: string, path: string, body?: object): Promise<Json>;
}

export function memberClient(
  url: string,
  token: string,
  face: 'member' | 'portal' = 'member',
): MemberClient {
  const send = async (
    method: string,
    path: string,
    body: string | undefined,
    key?: string,
  ): Promise<MemberAnswer> => {
    const headers = {
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    };
    const response = await fetch(`${url}/api/${face}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      text,
      json: text.startsWith('{') ? JSON.parse(text) : undefined,
    };
  };
  const call = (method: string, path: string, body?: object, key?: string) =>
    send(method, path, body === undefined ? undefined : JSON.stringify(body), key);
  return {
    token,
    call,
    raw: send,
    async data(method, path, body) {
      const { status, json, text } = await call(method, path, body);
      if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${text}`);
      return json.data;
    },
  };
}

import { randomUUID } from 'node:crypto';
import type { App } from '../app/app.ts';

export type Json = Readonly<Record<string, unknown>>;
type Method = 'DELETE' | 'GET' | 'PATCH' | 'POST';
type Headers = Readonly<Record<string, string>>;

/** Calls one of the faces. Answers the `data`; throws at a refusal. */
export type Call = (method: Method, url: string, body?: object) => Promise<Json>;

/** How requests come to the service. */
export type Send = (
  method: Method,
  url: string,
  headers: Headers,
  body: string | undefined,
) => Promise<{ readonly status: number; readonly text: string }>;

/** In this process, before the service listens. */
export const injectedInto =
  (http: App['http']): Send =>
  async (method, url, headers, body) => {
    const response = await http.inject({
      method,
      url,
      headers,
      ...(body !== undefined && { payload: body }),
    });
    return { status: response.statusCode, text: response.body };
  };

export const sentTo =
  (base: string): Send =>
  async (method, url, headers, body) => {
    const response = await fetch(base + url, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text() };
  };

/** As the caller that sends these headers. */
export function callerWith(send: Send, headers: Headers): Call {
  return async (method, url, body) => {
    const { status, text } = await send(
      method,
      url,
      {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body && JSON.stringify(body),
    );
    if (status >= 300)
      throw new Error(`the demo could not be made: ${method} ${url} answered ${status}: ${text}`);
    return (JSON.parse(text) as { data: Json }).data;
  };
}

/** As the holder of the token. */
export function caller(send: Send, token: string): Call {
  return (method, url, body) =>
    callerWith(send, {
      authorization: `Bearer ${token}`,
      ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
    })(method, url, body);
}

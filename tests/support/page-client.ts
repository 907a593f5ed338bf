import type { CreatedOrder } from './fixtures.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests compare what they expect
type Json = any;

export interface PageAnswer {
  readonly status: number;
  readonly text: string;
  readonly json: Json;
  readonly headers: Headers;
}

/** What a customer's browser or a script does with a payment page link. */
export interface PageClient {
  /** GET of the page, as a browser. */
  get(): Promise<PageAnswer>;
  /** GET /state; its `data`. Throws unless it is 200. */
  state(): Promise<Json>;
  /** A JSON action. */
  post(action: string, body?: object): Promise<PageAnswer>;
  /** A JSON action's `data`. Throws unless it is 200. */
  data(action: string, body?: object): Promise<Json>;
  /** A form, sent as a browser does; a redirect is not followed. */
  form(action: string, fields?: Record<string, string>): Promise<PageAnswer>;
  at(action: string): string;
}

/** A page's text without what keeps names and numbers in one piece. */
export const inOnePiece = (text: string): string =>
  text.replace(
    /<\/?bdi(?: dir="ltr")?(?: translate="no")?>|<\/?span(?: class="piece( gap)?")?>|[\u2066-\u2069]/g,
    '',
  );

export function openPage({ paymentPageUrl }: Pick<CreatedOrder, 'paymentPageUrl'>): PageClient {
  const [base, query] = paymentPageUrl.split('?');
  const at = (action: string) => `${base}/${action}?${query}`;
  const post = (action: string, body: object = {}) =>
    send(at(action), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
    });
  const dataOf = ({ status, json, text }: PageAnswer) => {
    if (status !== 200) throw new Error(`the page answered ${status}: ${text}`);
    return json.data;
  };
  return {
    at,
    get: () =>
      send(paymentPageUrl, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }),
    state: async () => dataOf(await send(at('state'))),
    post,
    data: async (action, body) => dataOf(await post(action, body)),
    form: (action, fields = {}) =>
      send(at(action), {
        method: 'POST',
        redirect: 'manual',
        headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
        body: new URLSearchParams(fields),
      }),
  };
}

async function send(url: string, init: RequestInit = {}): Promise<PageAnswer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return {
    status: response.status,
    text,
    json: isJson ? JSON.parse(text) : undefined,
    headers: response.headers,
  };
}

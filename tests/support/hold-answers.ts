import { afterEach, expect } from 'vitest';

/** Every answer that a test fetches from our own faces is held to the contract. */

const checking: Promise<string | undefined>[] = [];
const send = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const response = await send(input, init);
  const contentType = response.headers.get('content-type') ?? '';
  const { method = 'GET', url } =
    input instanceof Request ? input : { ...init, url: String(input) };
  if (contentType.includes('json') && /\/(api\/(operator|member)|pay)\//.test(url))
    checking.push(check(response.clone(), { method, url, contentType }));
  return response;
};

async function check(
  response: Response,
  sent: { readonly method: string; readonly url: string; readonly contentType: string },
) {
  const text = await response.text().catch(() => undefined); // cut off: nobody has read it
  if (text === undefined) return undefined;
  const { breachOf } = await import('./contract.ts');
  return breachOf({ ...sent, status: response.status, text });
}

afterEach(async () => {
  const breaches = await Promise.all(checking.splice(0));
  expect(breaches.filter((breach) => breach !== undefined)).toEqual([]);
});

/** `fetch` holds every answer of our own faces to the contract, for every caller. */

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

/** What was wrong with the answers since it was asked last. */
export async function breaches(): Promise<readonly string[]> {
  const found = await Promise.all(checking.splice(0));
  return found.filter((breach) => breach !== undefined);
}

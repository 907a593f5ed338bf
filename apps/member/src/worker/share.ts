declare const self: ServiceWorkerGlobalScope;

/** What was shared with the app, until its page takes it: it is kept nowhere else. */
let shared = '';

/** Whether it is the manifest's `share_target` that asks. */
export const isShare = ({ method, url }: Request): boolean =>
  method === 'POST' && url === `${self.registration.scope}shared`;

/** Takes the text and leads to the app: the network has no part in it. */
export async function takeShare(request: Request): Promise<Response> {
  const form = await request.formData();
  shared = ['title', 'text']
    .map((field) => form.get(field))
    .filter((value) => typeof value === 'string')
    .join('\n')
    .trim();
  return Response.redirect(`${self.registration.scope}?shared`, 303);
}

/** Gives the text to the page that asks by this port, once. */
export function giveShare(port: MessagePort | undefined): void {
  port?.postMessage(shared);
  shared = '';
}

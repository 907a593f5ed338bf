import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import type { Service } from './service.ts';

/** A service whose member app has another service worker than the one that was built. */
export interface AppProxy<Kept = object> extends Service {
  /** Puts this before the worker's code from now on: another build, or what browsers lack here. */
  prepend(code: string): void;
  /** What stands at `/kept`: PUT from the browser changes fields of it. */
  kept: Kept;
  close(): Promise<void>;
}

/** Passes everything on to the service, and changes its worker on the way back. */
export async function startAppProxy<Kept extends object>(
  service: Service,
  kept: Kept,
): Promise<AppProxy<Kept>> {
  let added = '';
  const passOn = (request: IncomingMessage, response: ServerResponse) => {
    const { method, headers } = request;
    const asked = ask(`${service.url}${request.url}`, { method, headers }, async (answer) => {
      const { 'content-length': length, ...others } = answer.headers;
      const isWorker = request.url === '/member/sw.js';
      response.writeHead(answer.statusCode ?? 502, isWorker ? others : answer.headers);
      if (isWorker) response.end(`${added}\n${await text(answer)}`);
      else answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    response.on('close', () => asked.destroy());
    request.pipe(asked);
  };
  const server = createServer(async (request, response) => {
    if (request.url !== '/kept') return passOn(request, response);
    if (request.method === 'PUT')
      proxy.kept = { ...proxy.kept, ...((await json(request)) as Partial<Kept>) };
    response.end(JSON.stringify(proxy.kept));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: AppProxy<Kept> = {
    ...service,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kept,
    prepend(code) {
      added = code;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return proxy;
}

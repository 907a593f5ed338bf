import type { FastifyInstance } from 'fastify';

/**
 * Every route of a running service as `METHOD /path`, read from the router itself; HEAD is left out
 * where GET answers it.
 */
export function routesOf(http: FastifyInstance): readonly string[] {
  const parents: string[] = [];
  const routes: string[] = [];
  for (const line of http.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = /^(.*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line);
    if (match === null) continue;
    const [, indent = '', part = '', methods = ''] = match;
    const depth = indent.length / 4;
    const path = (depth === 0 ? '' : (parents[depth - 1] ?? '')) + part;
    parents[depth] = path;
    const named = methods
      .split(', ')
      .filter((method) => method !== '' && !(method === 'HEAD' && methods.includes('GET')));
    routes.push(...named.map((method) => `${method} ${path}`));
  }
  return routes.sort();
}

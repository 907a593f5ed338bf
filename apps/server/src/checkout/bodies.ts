import type { FastifyInstance } from 'fastify';

const BODY_BYTES_MAX = 16_384;

/** Forms and JSON. An empty body is no body, also where its type says JSON. */
export function readBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'string', bodyLimit: BODY_BYTES_MAX } as const;
  app.addContentTypeParser('application/json', options, (_request, body, done) => {
    if (String(body).trim() === '') return done(null, undefined);
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(Object.assign(new Error('The body is not JSON.'), { statusCode: 400 }), undefined);
    }
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body, done) => {
    const fields: Record<string, unknown> = {};
    for (const [name, value] of new URLSearchParams(String(body)))
      fields[name] = Object.hasOwn(fields, name) ? [fields[name], value] : value;
    done(null, fields);
  });
}

import { Pool } from 'undici';

/**
 * The ceiling of sending webhooks: the same POSTs from one process, with nothing claimed, signed or
 * recorded.
 */
const [url = '', count = '0', connections = '100'] = process.argv.slice(2);
const body = Buffer.from(process.env['BODY'] ?? '');
const pool = new Pool(url, { connections: Number(connections), pipelining: 1 });
let left = Number(count);
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (left > 0) {
      left -= 1;
      const answer = await pool.request({
        method: 'POST',
        path: '/',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body,
      });
      await answer.body.dump();
    }
  }),
);
await pool.close();

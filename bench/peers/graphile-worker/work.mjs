import { Logger, run } from 'graphile-worker';
import pg from 'pg';
import { Pool } from 'undici';

/**
 * Posts the jobs, tuned as its documentation says for high throughput: jobs fetched and completed
 * in batches.
 */
const connections = Number(process.env.CONNECTIONS);
const { origin, pathname } = new URL(process.env.URL);
const receiver = new Pool(origin, { connections, pipelining: 1 });
const headers = { 'content-type': 'application/json; charset=utf-8' };

const pgPool = new pg.Pool({ max: 10 });
pgPool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
await run({
  pgPool,
  logger: new Logger(() => () => {}),
  preset: {
    worker: {
      concurrentJobs: connections,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
  taskList: {
    async deliver({ body }) {
      const answer = await receiver.request({ method: 'POST', path: pathname, headers, body });
      await answer.body.dump();
      if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`);
    },
  },
});

import { PgBoss } from 'pg-boss';
import { Pool } from 'undici';

/**
 * Posts the jobs: fetched and completed in batches of 500 without a pause, two batches at a time.
 */
const connections = Number(process.env.CONNECTIONS);
const { origin, pathname } = new URL(process.env.URL);
const receiver = new Pool(origin, { connections, pipelining: 1 });
const headers = { 'content-type': 'application/json; charset=utf-8' };

async function deliver({ data }) {
  const answer = await receiver.request({
    method: 'POST',
    path: pathname,
    headers,
    body: data.body,
  });
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`);
}

const boss = new PgBoss({
  host: process.env.PGHOST,
  user: process.env.PGUSER,
  password: process.env.PGPASSWORD,
  database: process.env.PGDATABASE,
});
boss.on('error', () => {});
await boss.start();
await boss.work(
  'deliver',
  { batchSize: 500, localConcurrency: 2, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 },
  (jobs) => Promise.all(jobs.map(deliver)),
);
process.on('SIGTERM', () => process.exit(0));

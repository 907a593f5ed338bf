import { makeWorkerUtils } from 'graphile-worker';
import pg from 'pg';

const CHUNK = 5_000;

/** Jobs that are due now, each with the body that it posts. */
const pgPool = new pg.Pool();
pgPool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
const utils = await makeWorkerUtils({ pgPool });
await utils.migrate();
const jobs = Array.from({ length: Number(process.env.COUNT) }, () => ({
  identifier: 'deliver',
  payload: { body: process.env.BODY },
}));
for (let at = 0; at < jobs.length; at += CHUNK) await utils.addJobs(jobs.slice(at, at + CHUNK));
await pgPool.query('analyze');
await utils.release();
await pgPool.end();

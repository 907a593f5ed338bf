import pg from 'pg';
import { PgBoss } from 'pg-boss';

const QUEUE = 'deliver';
const CHUNK = 5_000;

/**
 * Jobs that are due now, each with the body that it posts; its tables are analysed, without which
 * its plans are poor.
 */
const boss = new PgBoss({
  host: process.env.PGHOST,
  user: process.env.PGUSER,
  password: process.env.PGPASSWORD,
  database: process.env.PGDATABASE,
});
boss.on('error', () => {});
await boss.start();
await boss.createQueue(QUEUE);
const jobs = Array.from({ length: Number(process.env.COUNT) }, () => ({
  data: { body: process.env.BODY },
}));
for (let at = 0; at < jobs.length; at += CHUNK)
  await boss.insert(QUEUE, jobs.slice(at, at + CHUNK));
await boss.stop({ graceful: false });
const client = new pg.Client();
await client.connect();
await client.query('analyze');
await client.end();
process.exit(0);

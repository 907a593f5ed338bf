import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import path from 'node:path';

/**
 * A Medusa shop: its own commands migrate, seed and start it. What was seeded goes to the file
 * SEEDED. It cannot read the address of a Unix socket, so this process carries its bytes from a
 * local port: some microseconds in orders of hundreds of milliseconds.
 */
const cwd = import.meta.dirname;
const cli = path.join(cwd, 'node_modules', '@medusajs', 'cli', 'cli.js');
const socket = path.join(process.env.PGHOST, '.s.PGSQL.5432');
const carrier = createServer((client) => {
  const database = connect(socket);
  for (const [from, to] of [
    [client, database],
    [database, client],
  ]) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
});
carrier.listen(0, '127.0.0.1');
await once(carrier, 'listening');
const { PGUSER, PGPASSWORD, PGDATABASE } = process.env;
const env = {
  ...process.env,
  DATABASE_URL: `postgres://${PGUSER}:${encodeURIComponent(PGPASSWORD)}@127.0.0.1:${carrier.address().port}/${PGDATABASE}`,
};

for (const args of [
  ['db:migrate', '--skip-scripts'],
  ['exec', './src/scripts/seed.js'],
]) {
  const step = spawn(process.execPath, [cli, ...args], { cwd, env });
  let said = '';
  for (const stream of [step.stdout, step.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [code] = await once(step, 'exit');
  if (code !== 0) {
    process.stderr.write(`medusa ${args.join(' ')} failed:\n${said.slice(-2_000)}\n`);
    process.exit(1);
  }
}
const server = spawn(
  process.execPath,
  [cli, 'start', '--port', process.env.PORT, '--host', '127.0.0.1'],
  { cwd, env, stdio: 'ignore' },
);
process.on('SIGTERM', () => server.kill('SIGTERM'));
const [code] = await once(server, 'exit');
process.exit(code ?? 0);

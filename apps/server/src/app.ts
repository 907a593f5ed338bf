import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createClock, followAdvances } from './clock.ts';
import { type Config, isLocalHost } from './config.ts';
import { createEngine } from './engine/engine.ts';
import { createIds } from './engine/ids.ts';
import { checkoutFace } from './http/checkout/routes.ts';
import type { Deps } from './http/deps.ts';
import { createDocumentation } from './http/documentation.ts';
import { memberFace } from './http/member/routes.ts';
import { merchantFace } from './http/merchant/routes.ts';
import { metricsRoute } from './http/metrics.ts';
import { operatorFace } from './http/operator/routes.ts';
import { createHttpServer, healthRoutes } from './http/server.ts';
import { createSignInFailures } from './http/sign-in-failures.ts';
import { createSignInGuard } from './http/sign-in-guard.ts';
import { createNotices } from './notices.ts';
import { readHintsOf } from './storage/candidates.ts';
import { readClockOffset } from './storage/clock-offset.ts';
import type { Database } from './storage/db.ts';
import { createJobLocks, type JobLocks } from './storage/job-locks.ts';
import { createReaders } from './storage/readers.ts';
import { createVault } from './vault.ts';
import { type Attempted, type Deliverer, startDeliverer } from './webhooks/deliver.ts';
import { createCallbackWarnings } from './webhooks/doubtful-callbacks.ts';
import { createHealth } from './webhooks/health.ts';
import { createWebhookMetrics } from './webhooks/metrics.ts';
import { createResolver } from './webhooks/resolve.ts';
import { createSender } from './webhooks/send.ts';
import { clockAdvancer } from './workers/advance.ts';
import { createAdvanceCalls } from './workers/advance-calls.ts';
import { createCalls } from './workers/calls.ts';
import { createJobs, type Jobs } from './workers/jobs.ts';
import { startWorker, type Worker } from './workers/worker.ts';

export interface App {
  readonly http: FastifyInstance;
  readonly deps: Deps;
  /** Starts to listen and answers the base address. */
  listen(): Promise<string>;
  /** Takes no new request, answers the accepted ones, then closes everything. */
  close(): Promise<void>;
}

/**
 * The service, put together by plain calls. The database is migrated and stays the caller's to
 * close.
 */
export async function createApp(
  config: Config & { readonly masterKey: string },
  database: Database,
  log: FastifyBaseLogger,
): Promise<App> {
  const clock = createClock({ sandbox: config.sandboxClock });
  clock.setOffset(await readClockOffset(database.pool));
  const stopFollowing = followAdvances(clock, database);
  const notices = createNotices({ database, log });
  let jobs: Jobs | undefined;
  let worker: Worker | undefined;
  let jobLocks: JobLocks | undefined;
  let deliverer: Deliverer | undefined;
  /** Hears what the processes without the worker's role leave to those that have it. */
  const calls = createCalls({
    database,
    log,
    onCall({ memberIds, webhooks }) {
      if (webhooks) wakeWebhooks();
      if (memberIds.length > 0) offer(memberIds);
    },
    onMissed() {
      wakeWebhooks();
      worker?.runSoon('waiting-withdrawals');
    },
  });
  const wakeWebhooks = () =>
    deliverer === undefined ? calls.call({ webhooks: true }) : deliverer.wake();
  /**
   * They are read again, with all their accounts. Where that fails, the once-a-minute check is
   * left.
   */
  const offer = (memberIds: readonly string[]) => {
    if (jobs === undefined) return calls.call({ memberIds });
    readHintsOf(database.pool, memberIds).then(
      (members) => {
        jobs?.offer(members);
        worker?.wake('waiting-withdrawals');
      },
      () => {},
    );
  };
  const ids = createIds();
  const engine = createEngine({
    database,
    now: clock.now,
    ids,
    log,
    onNotices: notices.publish,
    onCapacity: offer,
    onDeliveries: wakeWebhooks,
  });
  const readers = createReaders(database);
  const vault = createVault(config.masterKey, config.linkKeys);
  const callbackRules = { allowPrivate: config.allowPrivateCallbacks };
  const webhookMetrics = createWebhookMetrics({ database, clock });
  if (config.roles.has('worker')) {
    jobs = createJobs({ engine, database, clock, log });
    jobLocks = createJobLocks(database);
    worker = startWorker({ locks: jobLocks, jobs: jobs.all, log });
    const health = createHealth({ database, log });
    const onAttempted = (attempted: Attempted) => {
      webhookMetrics.observe(attempted);
      return health.note(attempted);
    };
    deliverer = startDeliverer({
      database,
      clock,
      vault,
      sender: createSender({ ...callbackRules, resolve: createResolver(callbackRules) }),
      log,
      onAttempted,
    });
    calls.answer();
  }

  const onError = (error: Error) =>
    log.warn({ err: error }, 'sign-ins that failed could not be written to the audit log');
  const signInFailures = createSignInFailures({ database, clock, onError });
  const advances = config.sandboxClock ? createAdvanceCalls({ database, log }) : undefined;
  const advance =
    advances &&
    worker &&
    jobLocks &&
    deliverer &&
    clockAdvancer({ clock, database, worker, locks: jobLocks, webhooks: deliverer });
  if (advance !== undefined) advances?.answer(advance);
  const advanceElsewhere = async (seconds: number) => {
    await advances?.ask(seconds);
    clock.setOffset(await readClockOffset(database.pool));
  };

  let origin = config.publicUrl;
  const deps: Deps = {
    clock,
    database,
    engine,
    ids,
    readers,
    vault,
    log,
    pageOrigin: () => origin ?? '',
    trustedProxies: config.trustedProxies,
    secureCookies: !isOnThisMachine(config),
    pathPrefix:
      config.publicUrl === undefined ? '' : new URL(config.publicUrl).pathname.replace(/\/$/, ''),
    signInGuard: createSignInGuard(),
    signInFailures,
    operatorTokens: config.operatorTokens,
    metricsToken: config.metricsToken,
    production: config.production,
    notices,
    noteCallback: config.production
      ? undefined
      : createCallbackWarnings({ rules: callbackRules, log }),
    wake: (job) => (job === 'webhooks' ? wakeWebhooks() : worker?.wake(job)),
    advanceClock: advance ?? (advances === undefined ? undefined : advanceElsewhere),
  };

  const http = createHttpServer(log, {
    overHttps: config.publicUrl?.startsWith('https:') ?? false,
  });
  metricsRoute(http, deps, [
    (registry) => webhookMetrics.register(registry, () => deliverer?.inFlight() ?? 0),
  ]);
  healthRoutes(http, deps);
  if (config.roles.has('http')) {
    const documentation = createDocumentation(deps);
    await http.register(
      async (face) => {
        await documentation.describe(face, 'merchant');
        await merchantFace(face, deps);
      },
      { prefix: '/api/merchant' },
    );
    await http.register(
      async (face) => {
        await documentation.describe(face, 'operator');
        await operatorFace(face, deps);
      },
      { prefix: '/api/operator' },
    );
    await http.register(
      async (face) => {
        await documentation.describe(face, 'member');
        await memberFace(face, deps);
      },
      { prefix: '/api/member' },
    );
    await http.register(async (face) => checkoutFace(face, deps), { prefix: '/pay' });
    documentation.routes(http);
  }

  return {
    http,
    deps,
    async listen() {
      await http.listen({ host: config.host, port: config.port });
      const { address, family, port } = http.server.address() as AddressInfo;
      const local = `http://${address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address}:${port}`;
      origin ??= local;
      return local;
    },
    async close() {
      stopFollowing();
      await http.close();
      await signInFailures.stop();
      await worker?.stop();
      await jobLocks?.close();
      await deliverer?.stop();
      await engine.stop();
      await readers.close();
      await notices.close();
      await calls.close();
      await advances?.close();
    },
  };
}

/**
 * Whether browsers come by plain HTTP and never leave the machine: by PUBLIC_URL, or else by the
 * address listened on.
 */
function isOnThisMachine({ publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>): boolean {
  if (publicUrl === undefined) return isLocalHost(host);
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'http:' && isLocalHost(hostname);
}

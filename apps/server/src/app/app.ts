import type { Context } from '@munshi/core';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { checkoutFace } from '../checkout/routes.ts';
import { changesOf, ownChangesOf } from '../engine/changes.ts';
import { createConfirmTimes } from '../engine/confirm-times.ts';
import { createEngine } from '../engine/engine.ts';
import { createIds } from '../engine/ids.ts';
import { createNotices, type Notices } from '../engine/notices.ts';
import { createOrderMetrics } from '../engine/order-metrics.ts';
import { provideKeyedDigest } from '../engine/terms-key.ts';
import type { FaceDeps } from '../faces/deps.ts';
import { docsPage } from '../faces/docs-page.ts';
import { createDocumentation } from '../faces/documentation.ts';
import { memberFace } from '../faces/member.ts';
import { merchantFace } from '../faces/merchant.ts';
import { metricsRoute } from '../faces/metrics.ts';
import { operatorFace } from '../faces/operator.ts';
import { portalFace } from '../faces/portal.ts';
import { createReaders } from '../faces/readers.ts';
import { startPage } from '../faces/start-page.ts';
import { providePushKeys } from '../member-alerts/push.service.ts';
import { createMerchantTraffic } from '../merchants/traffic.service.ts';
import { createMailMetrics } from '../metrics/mails.ts';
import { createPlatformMetrics } from '../metrics/platform.ts';
import {
  clockMetrics,
  createWorkMetrics,
  databaseMetrics,
  engineMetrics,
} from '../metrics/process.ts';
import { createSignInFailures } from '../people/sign-in-failures.service.ts';
import { createClock } from '../platform/clock.ts';
import { createClockCheck } from '../platform/clock-check.ts';
import { addressing, addressOf, pathPrefixOf } from '../platform/config/addressing.ts';
import type { Config } from '../platform/config.ts';
import { compareClocks } from '../platform/database/database-clock.ts';
import type { Database } from '../platform/database/db.ts';
import { reachRoute } from '../platform/http/reach.ts';
import { sdkFiles } from '../platform/http/sdk-files.ts';
import { createHttpServer, healthRoutes } from '../platform/http/server.ts';
import { showServerTime } from '../platform/http/server-time.ts';
import { webApps } from '../platform/http/web.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import { createResolver } from '../platform/outbound/resolve.ts';
import { createSender, type Sender } from '../platform/outbound/send.ts';
import { createSignInGuard } from '../platform/sign-in/guard.ts';
import { createVault } from '../platform/vault.ts';
import { createRetentionMetrics } from '../retention/metrics.ts';
import { createRetention } from '../retention/service.ts';
import { keepKind } from '../sandbox/kind.store.ts';
import { readClockOffset } from '../settings/clock-offset.store.ts';
import { createCallbackWarnings } from '../webhooks/doubtful-callbacks.ts';
import { createWebhookMetrics } from '../webhooks/metrics.ts';
import { followAdvances } from './advance.ts';
import { createAdvanceCalls } from './advance-calls.ts';
import { type Background, startBackground } from './background.ts';
import { type Calls, createCalls } from './calls.ts';
import type { Tracing } from './tracing.ts';

export interface App {
  readonly http: FastifyInstance;
  readonly deps: FaceDeps;
  /** Starts to listen and answers the base address. */
  listen(): Promise<string>;
  /** Takes no new request, answers the accepted ones, then closes everything. */
  close(): Promise<void>;
}

type Settings = Config & { readonly masterKey: string } & Pick<
    Partial<FaceDeps>,
    'demoKeys' | 'demoSignIns'
  >;

/**
 * The service, put together by plain calls. The database is migrated and stays the caller's to
 * close; its first start decides whether it is a sandbox's. `sender` posts the webhooks; by default to the merchants' servers. `answerMs`: how long a
 * request may wait for its answer.
 */
export async function createApp(
  config: Settings,
  database: Database,
  log: FastifyBaseLogger,
  { sender, answerMs }: { readonly sender?: Sender; readonly answerMs?: number } = {},
): Promise<App> {
  await keepKind(database.pool, config.sandbox);
  const metrics = {
    orders: createOrderMetrics(),
    work: createWorkMetrics(),
    retention: createRetentionMetrics(config),
  };
  const { calls, ...base } = await createBase(config, database, log, metrics);
  const { clock, engine, ids, notices, tracing } = base;
  if (config.roles.has('http')) await base.pushKeys(); // made at the first start: a GET writes nothing
  const stopFollowing = followAdvances(clock, database);
  const webhookMetrics = createWebhookMetrics(() => background?.webhooks.inFlight() ?? 0);
  const mails = createMailMetrics();
  const mail = config.mail && { server: config.mail, onMail: mails.onMail };
  const background = config.roles.has('worker')
    ? startWork(config, { ...base, mail }, { ...metrics, webhooks: webhookMetrics }, sender)
    : undefined;
  if (background !== undefined)
    calls.answer({
      ...background,
      onCall(call) {
        tracing?.received(call.traces ?? {});
        background.onCall(call);
      },
    });
  const advances = clock.sandbox ? createAdvances(base, background) : undefined;

  const signInFailures = createSignInFailures({
    database,
    clock,
    ids,
    onError: (error) =>
      log.warn({ err: error }, 'sign-ins that failed could not be written to the audit log'),
  });
  const traffic = createMerchantTraffic({
    database,
    clock,
    ids,
    onRefused: (merchantIds) =>
      notices.ownChanged(merchantIds.map((merchantId) => ({ merchantId, kind: 'refused' }))),
    onError: (error) => log.warn({ err: error }, 'refused requests could not be written'),
  });
  const readers = createReaders(database);
  const http = createHttpServer(log, {
    overHttps: config.publicUrl?.startsWith('https:') ?? false,
    ...(config.roles.has('http') && { home: `${pathPrefixOf(config)}/` }),
    ...(answerMs !== undefined && { answerMs }),
    sandbox: config.sandbox,
  });
  const addresses = addressing(config, http);
  const deps: FaceDeps = {
    ...base,
    readers,
    confirmTimes: createConfirmTimes({ database, clock, log }),
    ...addresses,
    mail,
    supportEmail: config.supportEmail,
    trustedProxies: config.trustedProxies,
    signInGuard: createSignInGuard(),
    signInFailures,
    traffic,
    operatorTokens: config.operatorTokens,
    metricsToken: config.metricsToken,
    production: config.production,
    sandbox: config.sandbox,
    demoKeys: config.demoKeys,
    demoSignIns: config.demoSignIns,
    noteCallback: config.production
      ? undefined
      : createCallbackWarnings({ rules: callbackRules(config), log }),
    wake: (job) =>
      job === 'webhooks' ? calls.call({ webhooks: true }) : background?.worker.wake(job),
    advanceClock: advances?.advanceClock,
  };

  const channels = { notices: () => notices.listening, calls: () => calls.listening };
  tracing?.follow(http);
  metricsRoute(http, deps, [
    metrics.orders,
    metrics.work,
    metrics.retention,
    webhookMetrics,
    mails,
    engineMetrics(() => engine.stats),
    databaseMetrics({ engine, database, channels }),
    clockMetrics(base.clockCheck),
    createPlatformMetrics({ database, clock }),
  ]);
  healthRoutes(http, deps);
  reachRoute(http, deps);
  if (config.roles.has('http')) await registerFaces(http, deps);

  return {
    http,
    deps,
    async listen() {
      await http.listen({ host: config.host, port: config.port });
      return addressOf(http);
    },
    async close() {
      stopFollowing();
      await http.close();
      await signInFailures.stop();
      await traffic.stop();
      await background?.stop();
      await base.outbound.close();
      await engine.stop();
      await readers.close();
      await notices.close();
      await calls.close();
      await advances?.close();
      await tracing?.stop();
    },
  };
}

interface Metrics {
  readonly orders: ReturnType<typeof createOrderMetrics>;
  readonly work: ReturnType<typeof createWorkMetrics>;
  readonly retention: ReturnType<typeof createRetentionMetrics>;
}

type Base = Pick<
  FaceDeps,
  'clock' | 'clockCheck' | 'database' | 'engine' | 'ids' | 'vault' | 'outbound' | 'pushKeys' | 'log'
> & {
  readonly keyedDigest: Context['keyedDigest'];
  readonly notices: Notices;
  readonly tracing: Tracing | undefined;
};

/** What a process of any role has: the engine, and what it publishes of its commits. */
async function createBase(
  config: Settings,
  database: Database,
  log: FastifyBaseLogger,
  metrics: Metrics,
) {
  const clock = createClock({
    sandbox: config.sandboxClock,
    offset: config.sandboxClock ? await readClockOffset(database.pool) : 0,
  });
  const clockCheck = createClockCheck({ compare: () => compareClocks(database.pool), log });
  const ids = createIds(clock.now);
  const notices = createNotices({ database, log });
  const calls = createCalls({ database, log });
  const tracing = await openTracing(config, calls);
  const vault = createVault(config.masterKey, config.linkKeys);
  const keyedDigest = await provideKeyedDigest(database, vault, clock.now());
  const untraced = createEngine({
    database,
    now: clock.now,
    ids,
    keyedDigest,
    log,
    onNotices: notices.publish,
    onCapacity: (memberIds) => calls.call({ memberIds }),
    onDeliveries: () => calls.call({ webhooks: true }),
    onWritten(writes) {
      metrics.orders.written(writes);
      notices.changed(changesOf(writes));
      notices.ownChanged(ownChangesOf(writes));
    },
    onBatch(batch) {
      metrics.work.batch(batch);
      tracing?.batch(batch);
    },
  });
  const engine = tracing?.around(untraced) ?? untraced;
  const outbound = createOutbound(config);
  const pushKeys = once(() => providePushKeys(database, vault, clock.now()));
  return {
    clock,
    clockCheck,
    database,
    engine,
    ids,
    vault,
    keyedDigest,
    outbound,
    pushKeys,
    notices,
    calls,
    tracing,
    log,
  };
}

/** Its packages are loaded where it is asked for, and nowhere else. */
async function openTracing({ traceEndpoint }: Settings, calls: Calls) {
  if (traceEndpoint === undefined) return undefined;
  const { createTracing } = await import('./tracing.ts');
  return createTracing({
    endpoint: traceEndpoint,
    onDeliveries: (traces) => calls.call({ traces }),
  });
}

/** Calls to push services and to the alert channels of the operators. */
function createOutbound(config: Settings): Outbound & Pick<Sender, 'close'> {
  const rules = callbackRules(config);
  const { send, close } = createSender({ ...rules, resolve: createResolver(rules) });
  const { publicUrl = '' } = config;
  const contact = publicUrl.startsWith('https:') ? publicUrl : 'mailto:munshi@example.com';
  return { post: send, close, allowsHttp: rules.allowPrivate, contact };
}

/** What succeeded once is not asked for again. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask().catch((error) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

const callbackRules = ({ allowPrivateCallbacks }: Config) => ({
  allowPrivate: allowPrivateCallbacks,
});

/** What the role worker adds. */
function startWork(
  config: Config,
  { notices, tracing, ...base }: Base & Pick<FaceDeps, 'mail'>,
  metrics: Metrics & { readonly webhooks: ReturnType<typeof createWebhookMetrics> },
  sender: Sender | undefined,
): Background {
  return startBackground({
    ...base,
    portalUrl: config.publicUrl && `${config.publicUrl}/portal`,
    onAlert: (merchantId) => notices.ownChanged([{ merchantId, kind: 'delivery' }]),
    callbackRules: callbackRules(config),
    sandbox: config.sandbox,
    booksSchedule: { minuteOfDay: config.verifyMinute, standby: config.verifyDatabase },
    retention: retentionOf(config, base, metrics),
    sender,
    onAttempted(attempted) {
      metrics.webhooks.observe(attempted);
      tracing?.attempted(attempted);
      const { merchantId, deliveryId, subject } = attempted;
      notices.changed([{ kind: 'delivery', id: deliveryId }]);
      if (subject.kind === 'order') notices.changed([{ kind: 'order', id: subject.orderId }]);
      notices.ownChanged([{ merchantId, kind: 'delivery' }]);
    },
    onRun: metrics.work.job,
  });
}

/** Undefined where everything is kept. */
function retentionOf(
  { retention: policy, retentionDatabase: target }: Config,
  { clock, keyedDigest }: Pick<Base, 'clock' | 'keyedDigest'>,
  { retention: { removed } }: Metrics,
) {
  if (target === undefined || Object.keys(policy).length === 0) return undefined;
  return createRetention({ policy, target, clock, keyedDigest, onRemoved: removed });
}

/** Advances a sandbox clock: in this process, or in another one that has the role worker. */
function createAdvances({ clock, database, log }: Base, background: Background | undefined) {
  const calls = createAdvanceCalls({ database, log });
  if (background !== undefined) calls.answer(background.advanceClock);
  async function elsewhere(seconds: number) {
    await calls.ask(seconds);
    clock.setOffset(await readClockOffset(database.pool));
  }
  return { advanceClock: background?.advanceClock ?? elsewhere, close: calls.close };
}

async function registerFaces(http: FastifyInstance, deps: FaceDeps): Promise<void> {
  const documentation = createDocumentation(deps);
  const faces = [
    ['merchant', merchantFace],
    ['operator', operatorFace],
    ['member', memberFace],
    ['portal', portalFace],
  ] as const;
  for (const [name, face] of faces) {
    const register = async (scope: FastifyInstance) => {
      await documentation.describe(scope, name);
      if (name !== 'merchant') showServerTime(scope, deps);
      await face(scope, deps);
    };
    await http.register(register, { prefix: `/api/${name}` });
  }
  const page = async (scope: FastifyInstance) => {
    showServerTime(scope, deps);
    await checkoutFace(scope, deps);
  };
  await http.register(page, { prefix: '/pay' });
  webApps(http, deps);
  sdkFiles(http);
  await http.register(async (scope) => startPage(scope, http, deps));
  docsPage(http, deps);
  documentation.routes(http);
}

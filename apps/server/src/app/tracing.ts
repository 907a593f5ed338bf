import { AsyncLocalStorage } from 'node:async_hooks';
import { type Command, isSent } from '@munshi/core';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { FastifyInstance } from 'fastify';
import type { Engine, EngineOptions } from '../engine/engine.ts';
import { BoundedMap } from '../platform/bounded-map.ts';
import { Refused } from '../platform/refusals.ts';
import type { Attempted } from '../webhooks/run-attempts.ts';

type Batch = Parameters<NonNullable<EngineOptions['onBatch']>>[0];

/**
 * Traces of OpenTelemetry, from a request through its command and batch to the webhook. Loaded only
 * where OTEL_EXPORTER_OTLP_ENDPOINT is set. Spans name routes, kinds, ids and hosts; never a path,
 * a header, an amount or a person (operate/watch.md#traces).
 */
export interface Tracing {
  /** Follows the requests of this server; called before its routes are added. */
  follow(http: FastifyInstance): void;
  /** The engine, with a span for each command. */
  around(engine: Engine): Engine;
  batch(batch: Batch): void;
  /** Which traces deliveries belong to that were committed here or elsewhere. */
  received(traces: DeliveryTraces): void;
  attempted(attempted: Attempted): void;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** As `traceparent` of W3C, by the delivery's id. */
export type DeliveryTraces = Readonly<Record<string, string>>;

interface TracingOptions {
  /** Base of the receiver; `/v1/traces` is added. */
  readonly endpoint: string;
  /** Notifies workers. */
  readonly onDeliveries: (traces: DeliveryTraces) => void;
}

/** Asked every few seconds, they would drown the rest. */
const UNTRACED: ReadonlySet<string> = new Set(['/metrics', '/healthz', '/readyz']);
const SENT_EVERY_MS = 1_000;
/** Hints of deliveries are gathered for some milliseconds. */
const HINT_MS = 500;
/** Deliveries whose trace is known until their attempts; those of others begin one. */
const KEPT = 20_000;

export function createTracing({ endpoint, onDeliveries }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'munshi',
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: SENT_EVERY_MS })],
  });
  const tracer = provider.getTracer('munshi');
  const requests = new AsyncLocalStorage<Span>();
  const ofCommands = new WeakMap<Command, Span>();
  const ofDeliveries = new BoundedMap<string, SpanContext>(KEPT);

  function begin(command: Command): Span {
    const request = requests.getStore();
    const orderId = orderIdOf(command);
    const span = tracer.startSpan(
      `command ${command.kind}`,
      { attributes: orderId === undefined ? {} : { 'munshi.order_id': orderId } },
      request === undefined ? ROOT_CONTEXT : within(request.spanContext()),
    );
    ofCommands.set(command, span);
    return span;
  }

  async function spanned<T>(command: Command, run: (span: Span) => Promise<T>): Promise<T> {
    const span = begin(command);
    try {
      return await run(span);
    } catch (error) {
      if (error instanceof Refused) span.setAttribute('munshi.refusal', error.refusal.code);
      else span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    follow: (http) => followRequests(http, tracer, requests),
    around: (engine) =>
      Object.create(engine, {
        submit: {
          value: (...[command, options]: Parameters<Engine['submit']>) =>
            spanned(command, async (span) => {
              const decision = await engine.submit(command, options);
              if (!decision.ok) span.setAttribute('munshi.refusal', decision.refusal.code);
              return decision;
            }),
        },
        decideIn: {
          value: (...[client, command, options]: Parameters<Engine['decideIn']>) =>
            spanned(command, () => engine.decideIn(client, command, options)),
        },
      }) as Engine,
    batch({ commands: waiting, ms, deliveries }) {
      const commands = waiting.map(({ command }) => command);
      const [first, ...others] = commands.flatMap((command) => ofCommands.get(command) ?? []);
      if (first === undefined) return;
      const now = Date.now();
      const span = tracer.startSpan(
        'batch',
        {
          startTime: now - ms,
          attributes: { 'munshi.commands': commands.length },
          links: others.map((other) => ({ context: other.spanContext() })),
        },
        within(first.spanContext()),
      );
      for (const other of others) other.addLink({ context: span.spanContext() });
      span.end(now);
      const traces = deliveries.filter(isSent).flatMap(({ deliveryId, subjectId }) => {
        const command = commands.find((one) => orderIdOf(one) === subjectId);
        const own = command && ofCommands.get(command)?.spanContext();
        return own === undefined ? [] : [[deliveryId, traceparentOf(own)] as const];
      });
      if (traces.length > 0) onDeliveries(Object.fromEntries(traces));
    },
    received(traces) {
      for (const [deliveryId, traceparent] of Object.entries(traces)) {
        const read = readTraceparent(traceparent);
        if (read !== undefined) ofDeliveries.set(deliveryId, read);
      }
    },
    attempted(attempted) {
      const now = Date.now();
      const notify = () =>
        reportAttempt(tracer, attempted, now, ofDeliveries.get(attempted.deliveryId));
      // It was claimed by a look around, before the hint of it came.
      if (ofDeliveries.has(attempted.deliveryId)) notify();
      else setTimeout(notify, HINT_MS).unref();
    },
    stop: () => provider.shutdown().catch(() => {}), // the receiver is away: its spans are lost
  };
}

function reportAttempt(
  tracer: Tracer,
  { deliveryId, subject, host, number, outcome, durationMs }: Attempted,
  endedAt: number,
  parent: SpanContext | undefined,
): void {
  const span = tracer.startSpan(
    'webhook attempt',
    {
      kind: SpanKind.CLIENT,
      startTime: endedAt - durationMs,
      attributes: {
        ...(subject.kind === 'order' && { 'munshi.order_id': subject.orderId }),
        'munshi.delivery_id': deliveryId,
        'munshi.attempt': number,
        'munshi.outcome': outcome,
        'server.address': host,
      },
    },
    parent === undefined ? ROOT_CONTEXT : within(parent),
  );
  if (outcome !== 'acknowledged') span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endedAt);
}

type Tracer = ReturnType<TracerProvider['getTracer']>;

function followRequests(
  http: FastifyInstance,
  tracer: Tracer,
  requests: AsyncLocalStorage<Span>,
): void {
  const spans = new WeakMap<object, Span>();
  http.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    if (UNTRACED.has(route)) return done();
    const span = tracer.startSpan(`${request.method} ${route}`, {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'munshi.trace_id': request.id, // of answers and log lines
      },
    });
    spans.set(request, span);
    requests.run(span, done);
  });
  // The body was read meanwhile, on the socket's own behalf.
  http.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else requests.run(span, done);
  });
  http.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}

const within = (parent: SpanContext): Context => trace.setSpanContext(ROOT_CONTEXT, parent);

const orderIdOf = (command: Command): string | undefined =>
  'orderId' in command && typeof command.orderId === 'string' ? command.orderId : undefined;

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;

function readTraceparent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-0([01])$/.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number(flags), isRemote: true };
}

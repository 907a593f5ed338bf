import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, tracingChannel } from 'node:diagnostics_channel';
import type { Endpoint } from '@munshi/api';
import { AUDIT_FIELDS, type AuditEntry } from '@munshi/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { servedBy } from '../../apps/server/src/platform/http/bind.ts';
import { keyOf } from '../../apps/server/src/writes/request-keys.ts';

/**
 * Holds every request to what its endpoint says of the audit log: what succeeds has written
 * something that is declared and nothing else, and a preview nothing. Fields of entries are those that
 * the console names.
 */

interface UnderWay {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly error?: unknown;
}

/** What each request has written. Repeats under one Idempotency-Key share it: one of them acts. */
const written = new WeakMap<FastifyRequest, Set<string>>();
const byCommand = new Map<string, Set<string>>();
const wrong: string[] = [];

const handling = tracingChannel<Set<string>, UnderWay>('fastify.request.handler');
const underWay = new AsyncLocalStorage<Set<string>>();
handling.start.bindStore(underWay, ({ request }) => {
  const commandId: string | undefined = keyOf(request).once?.commandId;
  const actions = (commandId && byCommand.get(commandId)) || new Set<string>();
  if (commandId !== undefined) byCommand.set(commandId, actions);
  written.set(request, actions);
  return actions;
});

const FIELDS: ReadonlySet<string> = new Set(
  AUDIT_FIELDS.flatMap((name) => [name, `${name}Before`]),
);
channel('munshi.audit-log').subscribe((message) => {
  const { action, actor, commandId, detail } = message as AuditEntry;
  const unnamed = Object.keys(detail).filter((field) => !FIELDS.has(field));
  if (unnamed.length > 0)
    wrong.push(`${action} has ${unnamed.join(', ')}, which AUDIT_FIELDS does not list`);
  // Jobs that a request wakes run in its context.
  if (actor.kind === 'clock') return;
  // What a write decides has a command of its own, and is written in the request's context.
  const actions = byCommand.get(commandId ?? '') ?? underWay.getStore();
  actions?.add(action);
});

handling.asyncEnd.subscribe((message) => {
  const { request, reply, error } = message as UnderWay;
  const endpoint = servedBy(request);
  if (endpoint === undefined || error !== undefined || reply.statusCode !== 200) return;
  const found = breachOf(endpoint, request, [...(written.get(request) ?? [])]);
  if (found !== undefined)
    wrong.push(`${endpoint.face} ${endpoint.method} ${endpoint.path} wrote ${found}`);
});

function breachOf(
  { audit = [] }: Endpoint,
  { method, query }: FastifyRequest,
  actions: readonly string[],
): string | undefined {
  const isPreview = (query as { preview?: boolean } | undefined)?.preview === true;
  const undeclared = actions.filter(
    (action) => isPreview || !(audit as readonly string[]).includes(action),
  );
  if (undeclared.length > 0) return `${undeclared.join(', ')}, which it does not declare`;
  if (actions.length > 0 || audit.length === 0 || isPreview || method === 'HEAD') return undefined;
  return `nothing into the audit log, and declares ${audit.join(', ')}`;
}

/** What was wrong since it was asked last. */
export const undeclaredAudit = (): readonly string[] => wrong.splice(0);

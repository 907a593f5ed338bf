import { randomUUID } from 'node:crypto';
import { money, type Status, type WebhookOrder, webhookBody } from '@munshi/core';
import { type Client, type OrderStatus, webhooks } from '../../sdk/src/index.ts';
import { type Answer, describeAnswer, post, type Webhook } from './post.ts';
import type { Settings } from './settings.ts';

/**
 * Trials of a merchant's receiver by what is seen from outside: statuses and times. What a good one
 * answers is in webhooks.md#receive-one.
 */

export interface CheckOptions {
  readonly url: URL;
  /** An order that the receiver knows: orderId or orderReference. */
  readonly order: string;
  readonly json: boolean;
  readonly timeoutMs?: number;
}

interface Result {
  readonly name: string;
  readonly result: 'good' | 'failed' | 'not tried';
  readonly answers: readonly Answer[];
  /** What a good receiver does; where this one does not. */
  readonly problem?: string;
}

interface Attempt {
  readonly body: string;
  /** Another secret than the merchant's. */
  readonly secret?: string;
  readonly keyPrefix?: string;
  readonly deliveryId?: string;
  readonly pieces?: number;
}

interface Trial {
  readonly name: string;
  /** Trials without which this one shows nothing. */
  readonly after?: readonly string[];
  readonly attempts: readonly Attempt[];
  readonly isGood: (...answers: readonly Answer[]) => boolean;
  readonly problem: string;
}

/**
 * Tries the receiver, one trial after the other, and prints what it answered. Resolves to whether
 * it is good. Throws when there is no such order.
 */
export async function check(
  client: Client,
  settings: Settings,
  { url, order, json, timeoutMs }: CheckOptions,
  print: (line: string) => void,
): Promise<boolean> {
  const trials = trialsOf(await client.orderStatus(order), Date.now());
  const results: Result[] = [];
  for (const trial of trials) {
    const isGood = (name: string) =>
      results.some((result) => result.name === name && result.result === 'good');
    const result: Result = (trial.after ?? []).every(isGood)
      ? await run(trial, (attempt) =>
          post(url, { ...webhookOf(attempt, settings), ...(timeoutMs && { timeoutMs }) }),
        )
      : { name: trial.name, result: 'not tried', answers: [] };
    results.push(result);
    if (!json) print(describe(result));
  }
  const failed = results.filter(({ result }) => result === 'failed').length;
  if (json) print(JSON.stringify({ ok: failed === 0, trials: results }));
  else print(failed === 0 ? 'The receiver is good.' : `${failed} failed.`);
  return failed === 0;
}

async function run(
  { name, attempts, isGood, problem }: Trial,
  send: (attempt: Attempt) => Promise<Answer>,
): Promise<Result> {
  const answers: Answer[] = [];
  for (const attempt of attempts) answers.push(await send(attempt));
  return isGood(...answers)
    ? { name, result: 'good', answers }
    : { name, result: 'failed', answers, problem };
}

const statusOf = (answer: Answer | undefined): number =>
  answer !== undefined && 'status' in answer ? answer.status : 0;
const acknowledged = (answer: Answer | undefined) => Math.floor(statusOf(answer) / 100) === 2;
const isRefused = (answer: Answer | undefined) => statusOf(answer) === 401;
/** It is sent again later, when the order may be known. */
const isPutOff = (answer: Answer | undefined) =>
  statusOf(answer) >= 500 || statusOf(answer) === 404;

function trialsOf(order: OrderStatus, now: number): readonly Trial[] {
  const minute = 60_000;
  const completed = bodyOf(order, 'Completed', now);
  const rejected = bodyOf(order, 'Rejected', now - minute, 'not received');
  const unknown = bodyOf(
    {
      ...order,
      orderId: randomUUID(),
      orderReference: 'ORD-20000101000000-CHECK0',
      merchantOrderRef: `munshi-check-${randomUUID()}`,
    },
    'Completed',
    now,
  );
  const again = randomUUID();
  const unknownDelivery = randomUUID();
  return [
    {
      name: 'good',
      attempts: [{ body: completed, deliveryId: again }],
      isGood: acknowledged,
      problem:
        'Answer 2xx within five seconds to an event whose signature matches: compare the raw body, as received, and do the work afterwards.',
    },
    {
      name: 'wrong signature',
      attempts: [{ body: rejected, secret: 'of somebody else' }],
      isGood: isRefused,
      problem: 'Answer 401 to an event whose signature does not match: anybody can send one.',
    },
    {
      name: 'unknown key prefix',
      attempts: [{ body: rejected, secret: '', keyPrefix: 'unknown0' }],
      isGood: isRefused,
      problem:
        'Answer 401 where you have no secret for X-SVC-Key-Prefix. This one was signed with an empty secret.',
    },
    {
      name: 'the same again',
      after: ['good'],
      attempts: [{ body: completed, deliveryId: again }],
      isGood: acknowledged,
      problem:
        'Answer 2xx to an event that you already have, and do nothing: it was sent again because your answer was lost.',
    },
    {
      name: 'older after newer',
      after: ['good'],
      attempts: [{ body: rejected }],
      isGood: acknowledged,
      problem:
        'Answer 2xx to an older event of an order that you have completed, and leave the order as it is.',
    },
    {
      name: 'slow',
      after: ['good', 'the same again'],
      attempts: [{ body: completed, pieces: 3 }],
      isGood: acknowledged,
      problem:
        'Read the body to its end before you verify it: on a slow network it comes in pieces.',
    },
    {
      name: '500, then again',
      after: ['good'],
      attempts: [
        { body: unknown, deliveryId: unknownDelivery },
        { body: unknown, deliveryId: unknownDelivery },
      ],
      isGood: (first, second) =>
        (acknowledged(first) && acknowledged(second)) || (isPutOff(first) && isPutOff(second)),
      problem:
        'Answer an event of an order that you do not know 500 each time, or store it and answer 2xx each time. Remember an event only once it is stored: else it is lost when it is sent again.',
    },
    {
      name: 'four scripts',
      after: ['good', 'the same again', 'older after newer'],
      attempts: [{ body: bodyOf(order, 'Rejected', now - minute, FOUR_SCRIPTS) }],
      isGood: acknowledged,
      problem: 'Compute the signature of the bytes, as received, and read them as UTF-8.',
    },
  ];
}

const FOUR_SCRIPTS = 'not received · رقم موصول نہیں ہوئی · राशि नहीं मिली · টাকা পাওয়া যায়নি';

/** The body that the service would send if the order had come to this at this time. */
function bodyOf(order: OrderStatus, status: Status, at: number, reason = ''): string {
  const { createdAt, awaitingAt, assignedAt, sentAt } = order.lifecycle;
  const reached = (time: string | null) => (time === null ? null : Date.parse(time));
  const created = Date.parse(createdAt);
  const ended: WebhookOrder = {
    ...order,
    amount: money(order.amount),
    fee: order.fee === null ? null : money(order.fee),
    status,
    failureReason: reason,
    createdAt: created,
    awaitingAt: reached(awaitingAt),
    assignedAt: reached(assignedAt) ?? created,
    sentAt: reached(sentAt) ?? created,
    completedAt: status === 'Completed' ? at : null,
    rejectedAt: status === 'Rejected' ? at : null,
    failedAt: status === 'Rejected' ? at : null,
  };
  return webhookBody(ended, at);
}

function webhookOf(
  { body, secret, keyPrefix, deliveryId = randomUUID(), pieces = 1 }: Attempt,
  { apiKey, signingSecret }: Settings,
): Webhook {
  return {
    body,
    pieces,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'X-SVC-Event': (JSON.parse(body) as { eventType: string }).eventType,
      'X-SVC-Signature': webhooks.sign(body, secret ?? signingSecret),
      'X-SVC-Key-Prefix': keyPrefix ?? apiKey.slice('mk_live_'.length, 'mk_live_'.length + 8),
      'X-SVC-Delivery-Id': deliveryId,
      'X-SVC-Timestamp': String(Math.floor(Date.now() / 1000)),
    },
  };
}

function describe({ name, result, answers, problem }: Result): string {
  const seen = answers.length === 0 ? '' : `: ${answers.map(describeAnswer).join(', then ')}`;
  const line = `${result.padEnd('not tried'.length)} ${name}${seen}`;
  return problem === undefined ? line : `${line}\n          ${problem}`;
}

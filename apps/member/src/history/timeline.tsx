import { type AnswerOf, MEMBER_READ_TIMELINE } from '@munshi/api';
import { useEffect, useState } from 'preact/hooks';
import { dayText, isolated, timeText } from '../format.ts';
import { texts } from '../language.ts';
import { api } from '../service.ts';
import type { Order } from '../work/orders.ts';
import { words } from './words.ts';
import './history.css';

type Step = AnswerOf<typeof MEMBER_READ_TIMELINE>['data']['steps'][number];

/** What an order went through. Without a network, what the order itself says of it. */
export function Timeline({ order }: { readonly order: Order }) {
  const { orderId, status } = order;
  const [read, setRead] = useState<readonly Step[] | null>(null);
  useEffect(() => {
    let gone = false;
    void api.call(MEMBER_READ_TIMELINE, { params: { orderId } }).then(
      (outcome) => {
        if (!gone && outcome.ok) setRead(outcome.answer.data.steps);
      },
      () => {
        if (!gone) setRead((before) => before ?? knownSteps(order));
      },
    );
    return () => {
      gone = true;
    };
  }, [orderId, status]);
  if (read === null) return null;
  return (
    <section class="timeline">
      <h2>{words.value.timeline.title}</h2>
      <ol class="card">
        {read.map((step, at) => (
          <li key={`${step.at} ${at}`} class={at === read.length - 1 ? 'last' : ''}>
            <span>
              {nameOf(step, read[at - 1])}
              <Who step={step} />
            </span>
            <time dateTime={step.at} class="dim">
              {isSameDay(step, read[at - 1]) ? null : `${dayText(step.at)}, `}
              {timeText(step.at)}
            </time>
            {step.note === null ? null : (
              <p class="dim">
                <bdi>{step.note}</bdi>
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const isSameDay = (step: Step, before: Step | undefined) =>
  before !== undefined && dayText(step.at) === dayText(before.at);

/** What the clock does while a member has an order is what they have missed. */
function nameOf({ status, by }: Step, before: Step | undefined): string {
  const { tooLate, givenOn } = words.value.timeline;
  if (by === 'clock' && status === 'ManualReview') return tooLate;
  if (by === 'clock' && status === before?.status) return givenOn;
  return { ...words.value.timeline.steps, ...texts.value.outcomes }[status];
}

/** Who did it, where the step itself does not say so. */
function Who({ step: { by, own } }: { readonly step: Step }) {
  const { you, member, operator } = words.value.timeline.by;
  const who = own ? you : by === 'member' ? member : by === 'operator' ? operator : null;
  return who === null ? null : <span class="dim"> · {isolated(who)}</span>;
}

/** The order alone does not say who did them. */
function knownSteps({
  createdAt,
  sentAt,
  completedAt,
  failedAt,
  ...order
}: Order): readonly Step[] {
  const assigned = order.orderType === 'Deposit' ? 'Queued' : 'AwaitingMemberPayout';
  const steps = [
    { at: order.assignedAt ?? createdAt, status: assigned },
    { at: sentAt, status: 'AwaitingMemberConfirmation' },
    { at: completedAt ?? failedAt, status: order.status },
  ] as const;
  return steps.flatMap(({ at, status }) =>
    at === null ? [] : [{ at, status, by: 'clock' as const, own: false, note: null }],
  );
}

import { MEMBER_MARK_TEST_SEEN, MEMBER_READ_PUSH, MEMBER_SEND_TEST } from '@munshi/api';
import { secondsText } from '@munshi/web';
import { useEffect, useState } from 'preact/hooks';
import { isolated, leftToRight, lengthText } from '../format.ts';
import { texts } from '../language.ts';
import { now } from '../now.ts';
import { clock } from '../service.ts';
import { read, write } from '../session.ts';
import { connect } from './connect.ts';
import { note, openSteps, standing } from './standing.ts';
import type { StepView } from './step-view.ts';
import { words } from './words.ts';

type State =
  | { readonly is: 'ready' | 'sending' | 'unreachable' }
  | { readonly is: 'waiting'; readonly testId: string; readonly sentAt: string }
  | { readonly is: 'refused'; readonly why: string };

/** Without the service's word after this long, nothing comes. */
const LOST_MS = 30_000;

/** A push from the service to this phone, and how long it took. `notify`: shows the step before. */
export function useTest(notify: () => void): StepView {
  const { test } = words.value;
  const [state, setState] = useState<State>({ is: 'ready' });
  useArrival(state, (testMs) => {
    note({ testMs });
    setState({ is: 'ready' });
  });
  const send = async () => {
    setState({ is: 'sending' });
    note({ testMs: null });
    const connected = await connect();
    if (connected.is !== 'subscribed') return setState({ is: 'unreachable' });
    const { subscriptionId } = connected.phone;
    const outcome = await write(MEMBER_SEND_TEST, { params: { subscriptionId } });
    if (!outcome?.ok) return setState({ is: 'unreachable' });
    const { testId, sentAt, taken, error } = outcome.answer.data;
    setState(taken ? { is: 'waiting', testId, sentAt } : { is: 'refused', why: error ?? '' });
  };
  if (openSteps.value.includes('notify'))
    return {
      body: <p>{test.first}</p>,
      action: (
        <button type="button" class="primary" onClick={notify}>
          {words.value.notify.title}
        </button>
      ),
    };
  const { testMs } = standing.value;
  const busy = state.is === 'sending' || (state.is === 'waiting' && !isLost(state.sentAt));
  const tried = testMs !== null || state.is !== 'ready';
  return {
    body: (
      <>
        <p>{test.lead}</p>
        <div role="status">
          <Standing state={state} />
        </div>
      </>
    ),
    result: testMs === null ? undefined : test.seen(leftToRight(secondsText(testMs))),
    action: (
      <button type="button" class="primary" disabled={busy} onClick={() => void send()}>
        {tried && !busy ? test.again : test.button}
      </button>
    ),
  };
}

const isLost = (sentAt: string) => now.value - Date.parse(sentAt) > LOST_MS;

function Standing({ state }: { readonly state: State }) {
  const { test } = words.value;
  const { testMs } = standing.value;
  if (state.is === 'unreachable') return <p class="note bad">{texts.value.signIn.unreachable}</p>;
  if (state.is === 'refused') return <p class="note bad">{test.refused(isolated(state.why))}</p>;
  if (state.is === 'waiting')
    return isLost(state.sentAt) ? (
      <p class="note warn">{test.lost}</p>
    ) : (
      <p class="note calm">{test.waiting(lengthText(clock.now() - Date.parse(state.sentAt)))}</p>
    );
  if (state.is === 'ready' && testMs !== null)
    return <p class="note good">{test.seen(leftToRight(secondsText(testMs)))}</p>;
  return null;
}

/**
 * Says how long the test took: by this window where it is in front, else by the worker, whose time
 * the service has when the phone is looked at again.
 */
function useArrival(state: State, arrived: (latencyMs: number) => void): void {
  useEffect(() => {
    if (state.is !== 'waiting') return;
    const { testId, sentAt } = state;
    const onMessage = async ({ data }: MessageEvent) => {
      if (data?.is !== 'pushed' || data.orderId !== testId) return;
      const outcome = await write(MEMBER_MARK_TEST_SEEN, { params: { testId } });
      if (outcome?.ok) arrived(outcome.answer.data.latencyMs);
    };
    const shown = async () => {
      if (document.hidden) return;
      const outcome = await read(MEMBER_READ_PUSH, {});
      const phones = outcome?.ok ? outcome.answer.data.phones : [];
      const phone = phones.find(({ testSentAt }) => testSentAt === sentAt);
      if (typeof phone?.testSeenAfterMs === 'number') arrived(phone.testSeenAfterMs);
    };
    navigator.serviceWorker.addEventListener('message', onMessage);
    document.addEventListener('visibilitychange', shown);
    return () => {
      navigator.serviceWorker.removeEventListener('message', onMessage);
      document.removeEventListener('visibilitychange', shown);
    };
  }, [state]);
}

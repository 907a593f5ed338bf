import { computed, effect } from '@preact/signals';
import { database } from '../kept.ts';
import { LANGUAGES, language, texts } from '../language.ts';
import { METHOD_CODES, methodName } from '../methods.ts';
import { keep } from '../outbox/indexed-db.ts';
import { go } from '../router.tsx';
import { session } from '../session.ts';
import { me, toDo } from '../work/known.ts';
import { AMOUNT, type NoticeWords, WORDS } from './notice-words.ts';
import { closeNotices, showBadge } from './notices.ts';
import { reconnect } from './reconnect.ts';

/**
 * Keeps what the phone shows of the app in step with it, until the answered function is called: the
 * number on the icon, notifications, the words of the worker, and the push subscription.
 * `onPushed`: an alert has come by push.
 */
export function followNotices(onPushed: () => void): () => void {
  const onMessage = ({ data }: MessageEvent) => {
    if (data?.is === 'pushed') onPushed();
    if (data?.is === 'open') go(data.path);
  };
  const shown = () => {
    if (!document.hidden) void closeNotices();
  };
  const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  worker?.addEventListener('message', onMessage);
  document.addEventListener('visibilitychange', shown);
  shown();
  const stopBadge = effect(() => showBadge(toDo.value));
  const stopWords = effect(() => {
    if (me.value === null) return;
    const words = noticeWords(me.value.currency);
    void keep(database, WORDS, words);
  });
  const stopPush = effect(() => {
    if (isSignedIn.value) reconnect();
  });
  return () => {
    worker?.removeEventListener('message', onMessage);
    document.removeEventListener('visibilitychange', shown);
    stopBadge();
    stopWords();
    stopPush();
  };
}

const isSignedIn = computed(() => session.value.is === 'signed in' && !session.value.ended);

function noticeWords(currency: string): NoticeWords {
  const { alarm, outbox } = texts.value;
  const { confirm, reject, report, release } = outbox.decisions;
  return {
    language: language.value,
    direction: LANGUAGES[language.value].direction,
    titles: { assigned: alarm.pay, 'customer-confirmed': alarm.check, test: alarm.test },
    testBody: alarm.testBody,
    unsent: alarm.unsent,
    deeds: {
      confirm: confirm(AMOUNT),
      reject: reject(AMOUNT),
      report: report(AMOUNT),
      release: release(AMOUNT),
    },
    methods: Object.fromEntries(METHOD_CODES.map((each) => [each, methodName(each, currency)])),
  };
}

interface Asked<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: number;
}

interface GatherOptions {
  readonly max: number;
  /** A question that has no answer by then is given up, wherever it is: waiting, on its way, or behind a dead connection. */
  readonly deadlineMs?: number;
  /** So long after a statement the next one waits, so that more go with it. */
  readonly restMs?: number;
}

/**
 * Makes many single look-ups into few statements: what is asked while one is on its way waits and goes with the next.
 * A lone question is sent at once. `run` answers a list as long as what it was given, in that order.
 */
export function gather<Question, Answer>(run: (questions: readonly Question[]) => Promise<readonly Answer[]>, { max, deadlineMs, restMs = 0 }: GatherOptions) {
  // Both in order of arrival, which is that of their deadlines. Not a Set of all that is unanswered: an outgrown table of a Set points to
  // the next, so that once one is old all that was ever asked lives until the next full collection. That cost 5 µs a look-up.
  let sent: Asked<Question, Answer>[] = [];
  let waiting: Asked<Question, Answer>[] = [];
  let running = false;
  let timer: NodeJS.Timeout | undefined;

  async function drain() {
    while (waiting.length > 0) {
      sent = waiting.slice(0, max);
      waiting = waiting.slice(max);
      const batch = sent;
      try {
        const answers = await run(batch.map(({ question }) => question));
        batch.forEach(({ resolve }, at) => {
          resolve(answers[at] as Answer);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error as Error);
      }
      sent = [];
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    running = false;
  }

  /** One timer, for the oldest question. */
  function watch() {
    if (timer !== undefined) return;
    const oldest = sent[0] ?? waiting[0];
    if (oldest === undefined) return;
    timer = setTimeout(giveUp, Math.max(0, oldest.deadline - performance.now()));
    timer.unref();
  }

  function giveUp() {
    timer = undefined;
    const now = performance.now();
    const isLate = ({ deadline }: Asked<Question, Answer>) => deadline <= now;
    for (const { reject } of [...sent, ...waiting].filter(isLate)) {
      reject(Object.assign(new Error('the database did not answer in time'), { code: 'ETIMEDOUT' }));
    }
    sent = sent.filter((asked) => !isLate(asked));
    waiting = waiting.filter((asked) => !isLate(asked));
    watch();
  }

  return (question: Question): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject, deadline: deadlineMs === undefined ? 0 : performance.now() + deadlineMs });
      if (deadlineMs !== undefined) watch();
      if (!running) {
        running = true;
        setImmediate(drain);
      }
    });
}

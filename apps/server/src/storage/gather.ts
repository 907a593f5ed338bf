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
}

/**
 * Makes many single look-ups into few statements: what is asked while one is on its way waits and goes with the next.
 * A lone question is sent at once. `run` answers a list as long as what it was given, in that order.
 */
export function gather<Question, Answer>(run: (questions: readonly Question[]) => Promise<readonly Answer[]>, { max, deadlineMs }: GatherOptions) {
  let waiting: Asked<Question, Answer>[] = [];
  let running = false;
  /** In order of arrival, which is that of their deadlines. Kept for those with a deadline only. */
  const unanswered = new Set<Asked<Question, Answer>>();
  let timer: NodeJS.Timeout | undefined;

  async function drain() {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      try {
        const answers = await run(batch.map(({ question }) => question));
        batch.forEach(({ resolve }, at) => {
          resolve(answers[at] as Answer);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error as Error);
      }
      for (const asked of batch) unanswered.delete(asked);
    }
    running = false;
  }

  /** One timer, for the oldest question. */
  function watch() {
    if (timer !== undefined) return;
    const [oldest] = unanswered;
    if (oldest === undefined) return;
    timer = setTimeout(giveUp, Math.max(0, oldest.deadline - performance.now()));
    timer.unref();
  }

  function giveUp() {
    timer = undefined;
    const now = performance.now();
    for (const asked of unanswered) {
      if (asked.deadline > now) break;
      unanswered.delete(asked);
      asked.reject(Object.assign(new Error('the database did not answer in time'), { code: 'ETIMEDOUT' }));
    }
    waiting = waiting.filter((asked) => unanswered.has(asked));
    watch();
  }

  return (question: Question): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = { question, resolve, reject, deadline: deadlineMs === undefined ? 0 : performance.now() + deadlineMs };
      waiting.push(asked);
      if (deadlineMs !== undefined) {
        unanswered.add(asked);
        watch();
      }
      if (!running) {
        running = true;
        setImmediate(drain);
      }
    });
}

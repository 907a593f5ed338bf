/**
 * Makes many single look-ups into few statements: what is asked while one is on its way waits and goes with the next.
 * A lone question is sent at once. `run` answers a list as long as what it was given, in that order.
 */
export function gather<Question, Answer>(run: (questions: readonly Question[]) => Promise<readonly Answer[]>, { max }: { max: number }) {
  let waiting: { question: Question; resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = [];
  let running = false;

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
    }
    running = false;
  }

  return (question: Question): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (!running) {
        running = true;
        setImmediate(drain);
      }
    });
}

/** Keeps what has been read of things that never change, up to `max` of them; then the one read first is given up for a new one. */
export function remember<Answer>(read: (key: string) => Promise<Answer | undefined>, max: number): (key: string) => Promise<Answer | undefined> {
  const known = new Map<string, Answer>();

  function keep(key: string, answer: Answer) {
    if (known.size >= max) known.delete(known.keys().next().value as string);
    known.set(key, answer);
  }

  return async (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const answer = await read(key);
    if (answer !== undefined && !known.has(key)) keep(key, answer);
    return answer;
  };
}

import { BoundedMap } from '../../bounded-map.ts';

/**
 * Keeps what has been read of things that never change, up to `max` of them. What is not there is
 * asked for again.
 */
export function remember<Answer>(
  read: (key: string) => Promise<Answer | undefined>,
  max: number,
): (key: string) => Promise<Answer | undefined> {
  const known = new BoundedMap<string, Answer>(max);
  return async (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const answer = await read(key);
    if (answer !== undefined) known.set(key, answer);
    return answer;
  };
}

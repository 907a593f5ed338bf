import { isUuid } from '../platform/http/values.ts';
import type { Movement, MovementPlace } from './standing.store.ts';

/** Cursors of lists of what moved a member's float. */

export const movementPlaceOf = ({ place }: Movement): string => `${place.at} ${place.id}`;

export function readMovementPlace(text: string): MovementPlace | undefined {
  const [at, id = ''] = text.split(' ');
  if (!/^\d{1,14} \S+$/.test(text) || !isUuid(id)) return undefined;
  return { at: Number(at), id };
}

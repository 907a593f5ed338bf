import { isUuid } from '../platform/http/values.ts';
import type { Movement, MovementPlace } from './standing.store.ts';

/** Cursors of lists of what moved a member's float. */

export const movementPlaceOf = ({ place }: Movement): string => `${place.at} ${place.id}`;

export const isMovementPlace = (text: string): boolean =>
  /^\d{1,14} \S+$/.test(text) && isUuid(text.split(' ')[1] ?? '');

export function readMovementPlace(text: string): MovementPlace {
  const [at, id = ''] = text.split(' ');
  return { at: Number(at), id };
}

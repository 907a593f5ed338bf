import { CAPACITY_MAX } from '@munshi/api';

/** What is typed of a member, as the service takes it. */

/** A whole number of orders in hand at once. */
export const isCapacity = (typed: string): boolean =>
  /^\d{1,6}$/.test(typed) && Number(typed) <= CAPACITY_MAX;

/** Not empty, and without spaces. */
export const isUsername = (typed: string): boolean => /^\S+$/.test(typed);

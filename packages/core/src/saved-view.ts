import type { AskingOperator } from './capability.ts';

/** Lists of orders that operators keep under a name (apis.md#lists-search-and-files). */

/** As many as one operator keeps. */
export const VIEWS_MAX = 50;

/** A view for everybody is kept by those who work the queues. */
export const mayShareViews = ({ capabilities }: AskingOperator): boolean =>
  capabilities.has('decide');

export const VIEW_ACTIONS = ['change', 'delete'] as const;

/** By its owner; by an admin where it is for everybody. */
export const viewActions = (
  { ownerId, shared }: { readonly ownerId: string; readonly shared: boolean },
  { id, capabilities }: AskingOperator,
): readonly (typeof VIEW_ACTIONS)[number][] =>
  ownerId === id || (shared && capabilities.has('administer')) ? VIEW_ACTIONS : [];

import { VIEW_ACTIONS, VIEWS_MAX } from '@munshi/core';
import Type from 'typebox';
import { one } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  allowedActions,
  dataOf,
  id,
  listOf,
  namedObject,
  operator,
  optional,
  PAGE_QUERY,
  strictObject,
  text,
  time,
} from './contract/operator.ts';

/** Lists of orders that operators keep under a name. */

const { endpoint, write } = operator('Views');

const QUERY = Type.String({
  maxLength: 2000,
  description: 'The filters and columns as the screen has them in its address, without the `?`.',
});
const SHARED = Type.Boolean({ description: 'For every operator. Needs the role support.' });

export type SavedViewView = Shown<typeof SavedViewView>;
const SavedViewView = namedObject('SavedView', {
  viewId: id('The view.'),
  name: Type.String(),
  query: QUERY,
  shared: Type.Boolean(),
  own: Type.Boolean({ description: 'Whether the asking operator keeps it.' }),
  ownerName: Type.String(),
  createdAt: time,
  allowedActions: allowedActions(VIEW_ACTIONS),
});
export const LIST_VIEWS = endpoint('GET /views', {
  summary: 'List saved views',
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(SavedViewView, 'The own and the shared ones, the newest first.'),
});
const FILTERS = one('A view is a filter, and shows nothing that its reader may not see.');
export const SAVE_VIEW = write('POST /views', {
  summary: 'Save a view',
  needs: 'read',
  decides: FILTERS,
  audit: ['view.save'],
  description: `At most ${VIEWS_MAX} for each operator.`,
  body: strictObject({ name: text(60), query: QUERY, shared: optional(SHARED) }),
  answer: dataOf(SavedViewView, 'The view.'),
  refusals: ['too-many', 'already-exists'],
});
export const CHANGE_VIEW = write('PATCH /views/:viewId', {
  summary: 'Change a saved view',
  needs: 'read',
  decides: FILTERS,
  audit: ['view.change'],
  description: 'By its owner; by an admin where it is shared.',
  body: strictObject({
    name: optional(text(60)),
    query: optional(QUERY),
    shared: optional(SHARED),
  }),
  answer: dataOf(SavedViewView, 'The view.'),
});
export const DELETE_VIEW = write('DELETE /views/:viewId', {
  summary: 'Delete a saved view',
  needs: 'read',
  decides: FILTERS,
  audit: ['view.delete'],
  description: 'By its owner; by an admin where it is shared.',
  answer: dataOf(SavedViewView, 'The view as it was.'),
});

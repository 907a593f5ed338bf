import Type from 'typebox';
import { dataOf, enumOf, namedObject, operator, orNull, time } from './contract/operator.ts';

/** The nightly check of wallets, floats, orders and webhooks. */

const { endpoint } = operator('Books');

const BooksView = namedObject('Books', {
  state: enumOf(['sound', 'broken', 'unchecked'], 'unchecked: no check has ended yet.'),
  checking: Type.Boolean({ description: 'A check goes on.' }),
  finishedAt: orNull({ ...time, description: 'When the last whole check ended.' }),
  rules: Type.Integer({ description: 'Rules that a check goes through.' }),
  broken: Type.Array(
    Type.Object({
      id: Type.String({ description: 'As in docs/invariants.md.' }),
      rule: Type.String(),
      rows: Type.Integer({ description: 'How many rows break it, up to 10,000.' }),
      examples: Type.Array(Type.String(), { description: 'Up to ten of them, as JSON.' }),
    }),
    { description: 'What the last check has found.' },
  ),
});
export const READ_BOOKS = endpoint('GET /books', {
  summary: 'What the nightly check has found',
  needs: 'read',
  description:
    'Every rule over money, orders and webhooks is checked once a night, at `VERIFY_AT`. `munshi verify` checks them all at once.',
  answer: dataOf(BooksView, 'The latest result.'),
});

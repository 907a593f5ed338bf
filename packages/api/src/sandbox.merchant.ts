import { STATUSES, type Status } from '@munshi/core';
import Type, { type TSchema } from 'typebox';
import {
  FAILURES,
  ProblemDetails,
  problemExample,
  type ResponseDescription,
} from './contract/errors.ts';
import {
  message,
  NOT_FOUND,
  refusal,
  TOO_LARGE,
  UNAUTHENTICATED,
} from './contract/merchant-answers.ts';
import { namedEnum } from './contract/schemas.ts';
import { STATUS_FOUND } from './orders.merchant.ts';

export interface MoveBody {
  readonly to: Status;
  readonly reason?: string;
}
/** The body of a move (testing.md). */
export const MOVE_BODY: TSchema = Type.Object(
  {
    to: namedEnum('OrderStatus', STATUSES, 'Any status that the order can reach.'),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'Why, as members and operators give it.',
      }),
    ),
  },
  { title: 'Move', additionalProperties: false },
);

/** Every answer of `POST /api/merchant/sandbox/orders/{id}`. */
export const MOVE_RESPONSES: Readonly<Record<string, ResponseDescription>> = {
  200: STATUS_FOUND,
  400: {
    description: 'The body cannot be read.',
    content: {
      'application/problem+json': {
        schema: ProblemDetails,
        examples: {
          unknown: {
            summary: 'An unknown status',
            value: problemExample(400, 'One or more fields could not be read.', {
              '$.to': ['must be one of the statuses.'],
            }),
          },
        },
      },
    },
  },
  401: UNAUTHENTICATED,
  404: NOT_FOUND,
  409: refusal('The order cannot get there.', {
    noWay: message('No way leads there', 'Completed cannot become Rejected.'),
  }),
  413: TOO_LARGE,
  ...FAILURES,
};

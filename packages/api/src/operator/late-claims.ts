import { STATUSES } from '@munshi/core';
import Type, { type Static } from 'typebox';
import {
  answers,
  dataOf,
  id,
  listOf,
  METHODS,
  money,
  optional,
  orNull,
  PAGE,
  params,
  route,
  strict,
  text,
  time,
  writeRoute,
} from './schemas.ts';

/** What customers claim to have paid after the end of their link. */

const CLAIM_STATUS = Type.Enum(['open', 'closed'], { type: 'string' });
export const LateClaimView = Type.Object({
  claimId: id('The claim.'),
  merchantId: id('The merchant.'),
  orderId: id('The order that the customer says they paid.'),
  transactionDigits: Type.String({
    description:
      '4 to 20 digits of the transaction ID, the last ones or all, as the customer left them.',
  }),
  status: CLAIM_STATUS,
  claimedAt: time,
  closedAt: orNull(time),
  closedBy: orNull(Type.String()),
  note: orNull(Type.String({ description: 'What was found.' })),
});
export type ListLateClaims = Static<typeof LIST_LATE_CLAIMS.querystring>;
export const LIST_LATE_CLAIMS = route('Late claims', 'List late claims', {
  description:
    'Customers whose deposit link has expired say that they did pay. A claim changes no order and no money.',
  querystring: Type.Object(
    { status: optional(CLAIM_STATUS), merchantId: optional(id('The merchant.')), ...PAGE },
    strict,
  ),
  response: answers(
    'Open claims oldest first when they are asked for; otherwise the newest first.',
    listOf(
      Type.Intersect([
        LateClaimView,
        Type.Object({
          order: Type.Object({
            orderReference: Type.String(),
            merchantOrderRef: orNull(Type.String()),
            customerReference: orNull(Type.String()),
            walletType: METHODS,
            currency: Type.String(),
            amount: money(),
            status: Type.Enum([...STATUSES], { type: 'string' }),
            memberId: orNull(
              Type.String({
                description: 'Who holds the order, or held it last: whom to ask for the money.',
              }),
            ),
            createdAt: time,
            expiresAt: time,
            merchantName: Type.String(),
            memberName: orNull(Type.String()),
          }),
        }),
      ]),
    ),
    400,
  ),
});
export type CloseLateClaim = Static<typeof CLOSE_LATE_CLAIM.body>;
export const CLOSE_LATE_CLAIM = writeRoute('Late claims', 'Close a late claim', {
  description: 'With what was found. Where the money came, confirm the order first.',
  params: params('claimId'),
  body: Type.Object(
    {
      note: text(
        1000,
        'What was found, for the claim and the audit log. The customer and the merchant are not told.',
      ),
    },
    strict,
  ),
  response: answers('The closed claim.', dataOf(LateClaimView), 400, 404, 409),
});

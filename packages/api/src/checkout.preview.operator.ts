import Type from 'typebox';
import { ASKS } from './contract/decider.ts';
import type { BodyOf } from './contract/endpoint.ts';
import { dataOf, enumOf, operator, optional, orNull, strictObject } from './contract/operator.ts';
import { MERCHANT_PAGE_FIELDS } from './merchants.operator.ts';

/** The payment page before a change of it is saved. */

const { endpoint } = operator('Merchants');

export const PAGE_LANGUAGES = ['en', 'ur', 'hi', 'bn'] as const;
export const PREVIEWED_VIEWS = ['pay', 'verifying', 'completed'] as const;

/** What the routes of both faces have in common. */
export const PAGE_PREVIEW = {
  decides: ASKS,
  audit: [],
  description:
    'The page of a made-up deposit, with these fields in the place of those that are stored. Nothing is written, and no order is made.',
  body: strictObject({
    ...MERCHANT_PAGE_FIELDS,
    language: enumOf(PAGE_LANGUAGES),
    view: enumOf(PREVIEWED_VIEWS),
    theme: optional(enumOf(['light', 'dark'], 'Without it: the one that the browser asks for.')),
  }),
  answer: dataOf(
    Type.Object({
      html: Type.String({
        description: 'The page without its script. Its style comes from this service.',
      }),
      logo: orNull(
        Type.Object({
          url: Type.String({ description: 'The picture as it is sent, as a `data:` URL.' }),
          bytes: Type.Integer({ description: 'Of the picture as it is sent.' }),
        }),
      ),
    }),
    'The page as customers would see it.',
  ),
  refusals: ['too-many-tries'],
} as const;
export type PreviewPage = BodyOf<typeof PREVIEW_PAGE>;
export const PREVIEW_PAGE = endpoint('POST /merchants/:merchantId/page-preview', {
  summary: "Preview a merchant's payment page",
  ...PAGE_PREVIEW,
  needs: 'read',
});

import Type, { type TSchema } from 'typebox';
import { type Example, type ResponseDescription, SingleMessage } from './errors.ts';

/** Answers that several endpoints of the merchant face have, and the words to describe one. */

export type Examples = Readonly<Record<string, Example>>;

export const dataOf = <T extends TSchema>(data: T, title: string) =>
  Type.Object({ data }, { title });

export const message = (summary: string, error: string): Example => ({ summary, value: { error } });
export const answer = (
  description: string,
  schema: TSchema,
  examples: Examples,
): ResponseDescription => ({
  description,
  content: { 'application/json': { schema, examples } },
});
export const refusal = (description: string, examples: Examples) =>
  answer(description, SingleMessage, examples);

export const UNAUTHENTICATED: ResponseDescription = {
  type: 'null',
  description: 'The API key is missing, unknown or revoked. The body is empty.',
};
export const NOT_FOUND = refusal('No such order of this merchant.', {
  notFound: message('No such order', 'Order not found.'),
});

export const TOO_LARGE = refusal('The body is larger than 64 KB (65,536 bytes).', {
  tooLarge: message('Too large', 'Request body is too large'),
});

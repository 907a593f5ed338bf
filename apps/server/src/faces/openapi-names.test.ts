import { expect, test } from 'vitest';
import { named } from './openapi-names.ts';

const PATH = '/api/member/orders';
const operation = (schema: object) => ({
  responses: { 200: { content: { 'application/json': { schema } } } },
});
const object = (field: string, options: object = {}) => ({
  type: 'object',
  properties: { [field]: { type: 'string' } },
  ...options,
});
const documentOf = (paths: object) => named({ components: {}, paths }) as { components: object };

test('an operation is called as its endpoint, and a body without a title after the operation', () => {
  expect(documentOf({ [PATH]: { get: operation(object('a')) } })).toMatchObject({
    paths: { [PATH]: { get: { operationId: 'listOrders' } } },
    components: { schemas: { ListOrdersAnswer: object('a') } },
  });
});

test('what all uses of a schema say is said by its component, and what one says stays there', () => {
  const { components } = documentOf({
    [PATH]: {
      get: operation({
        type: 'object',
        properties: {
          a: object('x', { title: 'Same', description: 'As ever.' }),
          b: object('x', { title: 'Same', description: 'As ever.' }),
          c: object('y', { title: 'Other', description: 'One.' }),
          d: object('y', { title: 'Other', description: 'Another.' }),
        },
      }),
    },
  });
  expect(components).toEqual({
    schemas: {
      ListOrdersAnswer: {
        type: 'object',
        properties: {
          a: { $ref: '#/components/schemas/Same' },
          b: { $ref: '#/components/schemas/Same' },
          c: { $ref: '#/components/schemas/Other', description: 'One.' },
          d: { $ref: '#/components/schemas/Other', description: 'Another.' },
        },
      },
      Same: { description: 'As ever.', ...object('x') },
      Other: object('y'),
    },
  });
});

test('two shapes of one name and an operation without one are refused', () => {
  const two = { anyOf: [object('a', { title: 'A' }), object('b', { title: 'A' })] };
  expect(() => documentOf({ [PATH]: { get: operation(two) } })).toThrow(
    'Two different schemas have the title A.',
  );
  expect(() => documentOf({ '/elsewhere': { get: operation({}) } })).toThrow(
    'get /elsewhere is no endpoint and has no name',
  );
});

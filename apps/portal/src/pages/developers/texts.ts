export const texts = {
  title: 'Developers',
  tabs: {
    keys: 'API keys',
    signature: 'Signature checker',
    reference: 'Reference',
  },
  issuedByOperator:
    'Keys are issued and revoked by your operator. Ask them for a new one, or to let your admins do it here.',
  linksTitle: 'The contract',
  links: {
    docs: {
      name: 'API reference',
      hint: 'Every endpoint, field and error of the merchant API, to read in the browser.',
    },
    openapi: {
      name: 'OpenAPI document',
      hint: 'The same for machines: generate a client from it, or load it into your tools.',
    },
  },
  sdkTitle: 'With the SDK',
  sdkHint: 'It signs, keeps amounts exact, and repeats with the same Idempotency-Key.',
  sdkExample: 'An example with the SDK',
} as const;

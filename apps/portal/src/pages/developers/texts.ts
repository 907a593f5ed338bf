export const texts = {
  title: 'Developers',
  tabs: {
    keys: 'API keys',
    signature: 'Signature checker',
    refused: 'Refused requests',
    reference: 'Reference',
  },
  issuedByOperator:
    'Keys are issued and revoked by your operator. Ask them for a new one, or to let your admins do it here.',
  issuedByAdmins: 'Admins issue and revoke keys here, with a one-time code.',
  issuedHere:
    'New key: the other keys keep working. Regenerate: all other keys stop at once. Both need a one-time code.',
  needsCodes: 'You can issue keys here with a one-time code. Set up one-time codes first.',
  secretGone: 'The secret was already shown. If it is lost, issue another key.',
  refusedHint:
    'The newest 200 of the last 7 days, without bodies and secrets. Requests with an unknown key are not listed.',
  checkIt: 'Check it',
  noneRefused: 'No request was refused in the last 7 days.',
  request: 'Request',
  status: 'Status',
  code: 'Code',
  fields: 'Field or header',
  key: 'Key',
  from: 'From',
  when: 'When',
  linksTitle: 'The contract',
  links: {
    docs: {
      name: 'API reference',
      hint: 'Every endpoint, field and error of the merchant API.',
    },
    openapi: {
      name: 'OpenAPI document',
      hint: 'The same for programs: generate a client from it, or import it into your tools.',
    },
  },
  sdkTitle: 'With the SDK',
  sdkHint:
    'It signs requests, keeps amounts exact, and retries with the same Idempotency-Key. It is not on npm: ask your operator for the package.',
  sdkExample: 'An example with the SDK',
} as const;

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
    'A new key leaves the others working; regenerate revokes them all at once. Each asks for a one-time code.',
  needsCodes: 'Your operator lets you issue keys here, with a one-time code. You have none yet.',
  setUpCodes: 'Set up your one-time codes',
  secretGone: 'The secret was shown already. Issue another key if it is lost.',
  refusedHint:
    'The newest 200 of the last 7 days. Nothing of a body or a secret is kept; a request with an unknown key belongs to nobody.',
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

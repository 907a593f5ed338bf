import type { SignatureFault, SignatureSlip, WebhookFault, WebhookSlip } from '@munshi/web';

export const FAULTS = {
  'too-large': 'The body has more than 65,536 bytes. Shorten it and sign it again.',
  'byte-order-mark': 'A byte order mark stands before the body. Write UTF-8 without one.',
  'not JSON': 'This is not JSON. The whole body must be one JSON object, with nothing around it.',
  'not an object': 'The body must be one JSON object, in braces.',
  'lone surrogate':
    'A text contains half of a surrogate pair, such as \\ud83d without its second half.',
  'repeated key': 'A field occurs twice. Upper and lower case count as the same field.',
  'other-reading':
    'A key has = or &, or a value has &name= that could be another field. Write & as %26 there.',
  'not-signed': 'The body has no signature. Add the one below as its last field.',
  'not-a-text': 'The signature must be a JSON string, in quotes.',
  'not-md5': 'The signature is not an MD5 in hex: that has 32 characters from 0 to 9 and a to f.',
  'other-text': 'The signature belongs to another text than the canonical string.',
} satisfies Record<SignatureFault, string>;

export const SLIPS = {
  'numbers-rewritten': 'Numbers written anew: 1500.50 became 1500.5. Sign the text that you send.',
  'numbers-with-two-places':
    'Numbers with two decimal places: 1500.5 became 1500.50. Sign the text that you send.',
  'strings-encoded': 'Values in URL encoding, %20 for a space. Sign them as they are.',
  'strings-form-encoded': 'Values in form encoding, + for a space. Sign them as they are.',
  'strings-escaped':
    'Strings with their JSON escapes, such as \\/ or \\u00e9. Sign what they stand for.',
  'strings-quoted': 'Strings in quotes. Sign them without.',
  'booleans-capital': 'True and False. Sign true and false.',
  'booleans-as-numbers': '1 for true and nothing for false. Sign true and false.',
  'keys-not-lowered': 'Keys in their own case. Lower-case them.',
  'not-sorted': 'Fields in the order of the body. Sort them by their lower-case keys.',
  'empty-kept': 'Fields with an empty string. Leave them out.',
  'null-kept': 'Fields that are null. Leave them out.',
  'nested-kept': 'Objects and arrays. Leave them out.',
  'without-secret': 'Only the fields, without the secret behind them.',
  'secret-first': 'The secret before the fields. It comes after them.',
  'secret-after-ampersand': 'An & between the fields and the secret. There is no separator.',
  'secret-trimmed': 'The secret above has a blank at an end that the signature does not have.',
  'secret-with-line-break': 'A line break after the secret: strip it where it is read.',
} satisfies Record<SignatureSlip, string>;

export const WEBHOOK_FAULTS = {
  'no-prefix': 'The header begins with “sha256=”. Paste all of it.',
  'not-hex': 'After “sha256=” come 64 characters from 0 to 9 and a to f.',
  'other-bytes': 'The signature belongs to other bytes, or to another secret.',
} satisfies Record<WebhookFault, string>;

export const WEBHOOK_SLIPS = {
  'line-break': 'A line break was added at the end of the body.',
  'written-again':
    'The body was parsed and written again, with other white space. Keep the raw body.',
  'secret-trimmed': 'The secret has a blank at an end.',
} satisfies Record<WebhookSlip, string>;

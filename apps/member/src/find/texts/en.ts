/** The search on M3 in English; the shape of every other language. */
export const en = {
  label: 'Paste a message, or type an amount or digits',
  paste: 'Paste',
  clear: 'Clear',
  /** The browser gives nothing: the keyboard does. */
  pasteHere: 'Hold your finger on the field, then choose Paste.',
  forged: 'A message can be forged. Look in your wallet before you confirm.',
  nothing: 'No order in hand fits this.',
  amount: { fits: 'Amount', differs: 'Another amount' },
  digits: { fits: 'Digits', differs: 'Other digits', noId: 'No ID in this message' },
  payer: { fits: 'Customer', absent: 'Customer not named' },
  wentOut: 'Money went out',
  cameIn: 'Money came in',
  warnings: { before: 'Before the order', twoAmounts: 'Two amounts', twoIds: 'Two IDs' },
};

export type FindTexts = typeof en;

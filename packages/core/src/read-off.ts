/** A piece of a value that no line breaks. */
export interface Piece {
  readonly text: string;
  /**
   * What follows: a space of the value itself, a gap for the eye alone, which is never copied, or
   * nothing. A line may end at each.
   */
  readonly after: 'space' | 'gap' | 'nothing';
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{10,}$/;
/** Numbers as long as these are read aloud in groups. */
const LONG = /^\d{7,}$/;
/** With the country's code, which is read by itself. */
const ABROAD = /^(\+(?:92|91|880))(\d{10})$/;
/** The end of an order's number is what people read aloud. */
const REFERENCE = /^(ORD-\d+-)([0-9A-Z]{6})$/;
/** A UPI ID breaks behind its marks and before its bank. */
const MARKED = /@?[^@._/-]*[._/-]+|@?[^@._/-]+|@/g;

/**
 * An account or an order's number as it is read off. Mobile numbers are grouped as their country
 * reads them, other long numbers and IBANs in fours; words stay whole.
 */
export const piecesOf = (value: string): readonly Piece[] =>
  value
    .split(' ')
    .flatMap((word, at, words) => inWord(word, at === words.length - 1 ? 'nothing' : 'space'));

function inWord(word: string, end: Piece['after']): readonly Piece[] {
  const [, country, mobile] = ABROAD.exec(word) ?? [];
  const grouped =
    country !== undefined && mobile !== undefined
      ? [country, ...groups(mobile)]
      : LONG.test(word) || IBAN.test(word)
        ? groups(word)
        : undefined;
  const marked = word.includes('@') ? word.match(MARKED) : null;
  const pieces = grouped ?? REFERENCE.exec(word)?.slice(1) ?? marked ?? [word];
  const between = grouped === undefined ? 'nothing' : 'gap';
  return pieces.map((text, at) => ({ text, after: at === pieces.length - 1 ? end : between }));
}

/**
 * Mobiles of Pakistan and Bangladesh by 4, 3 and 4 digits, those of India by 5 and 5, others by
 * fours.
 */
function groups(number: string): readonly string[] {
  if (/^0\d{10}$/.test(number)) return cut(number, [4, 3, 4]);
  if (/^3\d{9}$/.test(number)) return cut(number, [3, 3, 4]);
  if (/^[6-9]\d{9}$/.test(number)) return cut(number, [5, 5]);
  return number.match(/.{1,4}/g) ?? [];
}

function cut(number: string, lengths: readonly number[]): readonly string[] {
  let from = 0;
  return lengths.map((length) => {
    from += length;
    return number.slice(from - length, from);
  });
}

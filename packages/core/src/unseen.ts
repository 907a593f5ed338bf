/**
 * Characters that are not seen and can make a text look like another one, or turn the text around
 * it: controls, line breaks, bidirectional marks, zero-width and private characters. Joiners belong
 * to the scripts of our customers, variation selectors to emoji, and signs around Arabic numbers are
 * seen.
 */
const UNSEEN = '\\p{Cc}\\p{Co}\\p{Zl}\\p{Zp}\\p{Cf}\\p{DI}';
const SEEN_ALL_THE_SAME = '\\u200c\\u200d\\ufe0e\\ufe0f\\u0600-\\u0605\\u06dd';
const ANY_SEEN = `(?:[^${UNSEEN}]|[${SEEN_ALL_THE_SAME}])`;
const NOT_BLANK = '(?=[\\s\\S]*[^\\s\\u200c\\u200d\\ufe0e\\ufe0f])';

/** Patterns of texts, in Unicode mode: one line, lines, and a word, in which something is seen. */
export const ONE_LINE = `^${NOT_BLANK}${ANY_SEEN}+$`;
export const LINES = `^${NOT_BLANK}(?:${ANY_SEEN}|[\\n\\r\\t])+$`;
export const ONE_WORD = `^${NOT_BLANK}(?:[^${UNSEEN}\\s]|[${SEEN_ALL_THE_SAME}])+$`;
/** One line that holds neither an address of the web nor one of e-mail, as the name of a person. */
export const PLAIN_NAME = `^(?!.*(?:@|:/|[\\p{L}\\p{N}-]{2}\\.\\p{L}{2}))${ONE_LINE.slice(1)}`;

const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const FORBIDDEN = `(?![${SEEN_ALL_THE_SAME}])[${UNSEEN}]`;
const EVERY_UNSEEN = new RegExp(FORBIDDEN, 'gu');
const ONE_UNSEEN = new RegExp(FORBIDDEN, 'u');
const FORBIDDEN_IN_LINES = `(?![\\n\\r\\t])${FORBIDDEN}`;
const ONE_UNSEEN_IN_LINES = new RegExp(FORBIDDEN_IN_LINES, 'u');
const EVERY_UNSEEN_IN_LINES = new RegExp(FORBIDDEN_IN_LINES, 'gu');

/** Whether a text of one line holds any. */
export const hasUnseen = (text: string): boolean => ONE_UNSEEN.test(text);
/** The same for a text that may have lines. */
export const hasUnseenInLines = (text: string): boolean => ONE_UNSEEN_IN_LINES.test(text);

/** What else than printable ASCII there is: looking at that alone costs a tenth on most answers. */
const BEYOND_ASCII = /[^ -~]+/g;

/** A text without them, line breaks and tabs excepted. */
export const withoutUnseen = (text: string): string =>
  text.replaceAll(BEYOND_ASCII, (part) => part.replaceAll(EVERY_UNSEEN_IN_LINES, ''));

/**
 * Another party's text on one line, as it is shown. A merchant may send any character, which is
 * kept as it was sent: line breaks and controls become spaces, what else is not seen is left out.
 */
export const cleaned = (text: string): string =>
  text.replaceAll(BREAKS, ' ').replaceAll(EVERY_UNSEEN, '').trim();

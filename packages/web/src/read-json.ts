/**
 * Reads JSON with every number as it is written: amounts have up to 18 digits, more than a
 * JavaScript number holds. `JSON.parse` gives the source of a number on new runtimes only, hence
 * the small rewriting here: numbers become marked strings before it parses.
 */

/** A number by the text that stood in the JSON. */
export class SourceNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** Strings are passed over whole, so that digits inside them stay. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Cannot begin a string of an answer: the service refuses null characters. */
const MARK = '\u0000';

/** Throws SyntaxError on text that is no JSON. */
export function readJson(text: string): unknown {
  const marked = text.replace(TOKEN, (token) => {
    if (token.startsWith('"')) return token;
    JSON.parse(token); // `01` is two numbers to the pattern, and no JSON
    return `"\\u0000${token}"`;
  });
  return JSON.parse(marked, (_key, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? new SourceNumber(value.slice(1)) : value,
  );
}

/**
 * The cells of a file that the service has sent, as spreadsheets show them, line by line, the header
 * first. Throws for others.
 */
export function cellsOf(csv: string): string[][] {
  const lines: string[][] = [[]];
  const text = csv.replace('\uFEFF', '');
  const cell = /"((?:[^"]|"")*)"(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const from = cell.lastIndex;
    const found = cell.exec(text);
    if (found === null) throw new Error(`no quoted cell: ${text.slice(from, from + 40)}`);
    lines.at(-1)?.push(shown((found[1] ?? '').replaceAll('""', '"')));
    if (found[2] === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

/** The text of a formula that is one. */
const shown = (cell: string): string => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell;

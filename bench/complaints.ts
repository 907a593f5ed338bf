/**
 * What servers have said on standard error and which answers were wrong: what explains a check that
 * fails.
 */
const heard: string[] = [];

/** Of a server that complains without end the last is kept. */
const KEPT = 40;

export function complain(text: string): void {
  heard.push(text.trimEnd());
  if (heard.length > KEPT) heard.shift();
}

/** Everything since it was last asked for. */
export const takeComplaints = (): readonly string[] => heard.splice(0);

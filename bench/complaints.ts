/** What servers wrote to standard error, and wrong answers: they explain a failed check. */
const heard: string[] = [];

/** Only the last lines of a server are kept. */
const KEPT = 40;

export function complain(text: string): void {
  heard.push(text.trimEnd());
  if (heard.length > KEPT) heard.shift();
}

/** Everything since the last call. */
export const takeComplaints = (): readonly string[] => heard.splice(0);

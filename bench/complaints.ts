/** What servers wrote to standard error, and wrong answers: they explain a failed check. */
const complaints: string[] = [];

/** Only the last lines of a server are kept. */
const KEPT = 40;

export function complain(text: string): void {
  complaints.push(text.trimEnd());
  if (complaints.length > KEPT) complaints.shift();
}

/** Everything since the last call. */
export const takeComplaints = (): readonly string[] => complaints.splice(0);

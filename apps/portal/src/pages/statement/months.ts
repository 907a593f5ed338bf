/** Months from one moment to another as clocks of a zone count them, the newest first: `2026-10`. */
export function monthsSince(first: number, last: number, timeZone: string): readonly string[] {
  const monthAt = (at: number) =>
    new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', timeZone }).format(at);
  const oldest = monthAt(first);
  const months = [monthAt(last)];
  for (let [month = ''] = months; month > oldest; months.push(month)) month = monthBefore(month);
  return months;
}

function monthBefore(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7);
}

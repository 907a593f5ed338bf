/**
 * The name of a field as people read it: `payoutWindowSeconds` → `Payout window seconds`. For names
 * that no text of ours knows, such as those of a newer version's entries.
 */
export function fieldName(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([a-z])(\d)/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[-_\s]+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

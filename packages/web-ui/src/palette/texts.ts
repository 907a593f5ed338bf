/** Every word of the palette that is the same in every app. */
export const texts = {
  find: 'Find or go to',
  results: 'What was found',
  recent: 'Recent',
  pages: 'Pages',
  searching: 'Searching',
  nothing: (typed: string) => `Nothing found for “${typed}”`,
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  keys: { move: 'move', enter: 'Enter', open: 'open', escape: 'Esc', close: 'close' },
} as const;

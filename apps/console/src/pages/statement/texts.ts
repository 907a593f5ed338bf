export const texts = {
  theirs: 'All of its statements',
  all: (name: string) => `All statements of ${name}`,
} as const;

const NAMED_MAX = 3;
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Names, any of whom will do: `Asma, Bilal or Chand`, and of many how many more there are. */
export const anyOf = (names: readonly string[]): string => {
  const more = names.length - NAMED_MAX;
  return OR.format(
    more > 1 ? [...names.slice(0, NAMED_MAX), `${more} others`] : names.slice(0, NAMED_MAX + 1),
  );
};

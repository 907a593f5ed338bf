import { readAmount, readDay } from '@munshi/web';
import { useSearchParams } from 'wouter';

/**
 * Filters that live in the query string, so that a link shows the same. The schema says what each
 * may be; what does not fit is as good as not there.
 */
export type FilterSchema = Readonly<Record<string, FilterField<unknown>>>;
interface FilterField<Value> {
  /** Undefined for texts that do not fit. */
  read(texts: readonly string[]): Value | undefined;
  write(value: Value): readonly string[];
}
export type FiltersOf<Schema extends FilterSchema> = {
  readonly [Name in keyof Schema]?: Schema[Name] extends FilterField<infer Value> ? Value : never;
};

/** Any text. */
export const text = (): FilterField<string> => ({
  read: ([value]) => value || undefined,
  write: (value) => (value === '' ? [] : [value]),
});

/** The id of something. */
export const id = (): FilterField<string> => ({
  read: ([value = '']) => (UUID.test(value) ? value : undefined),
  write: (value) => [value],
});
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An amount, in plain digits. */
export const amount = (): FilterField<string> => ({
  read: ([value]) => readAmount(value ?? ''),
  write: (value) => [value],
});

/** A day, as ISO 8601 writes it. */
export const day = (): FilterField<string> => ({
  read: ([value]) => readDay(value),
  write: (value) => [value],
});

/** One of these. */
export const oneOf = <const Choice extends string>(
  choices: readonly Choice[],
): FilterField<Choice> => ({
  read: ([value]) => choices.find((choice) => choice === value),
  write: (value) => [value],
});

/** Any number of these. */
export const someOf = <const Choice extends string>(
  choices: readonly Choice[],
): FilterField<Choice[]> => ({
  read(values) {
    const known = choices.filter((choice) => values.includes(choice));
    return known.length === 0 ? undefined : known;
  },
  write: (values) => values,
});

export interface Filters<Schema extends FilterSchema> {
  readonly values: FiltersOf<Schema>;
  /** Sets some; undefined takes one away. Other parameters of the address stay. */
  set(changes: { readonly [Name in keyof Schema]?: FiltersOf<Schema>[Name] | undefined }): void;
  clear(): void;
  /** How many are set. */
  readonly count: number;
}

export function useFilters<Schema extends FilterSchema>(schema: Schema): Filters<Schema> {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(
    Object.entries(schema).flatMap(([name, field]) => {
      const value = field.read(params.getAll(name));
      return value === undefined ? [] : [[name, value]];
    }),
  ) as FiltersOf<Schema>;
  const change = (changes: Readonly<Record<string, unknown>>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          next.delete(name);
          if (value !== undefined)
            for (const written of schema[name]?.write(value) ?? []) next.append(name, written);
        }
        return next;
      },
      { replace: true },
    );
  return {
    values,
    set: change,
    clear: () => change(Object.fromEntries(Object.keys(schema).map((name) => [name, undefined]))),
    count: Object.keys(values).length,
  };
}

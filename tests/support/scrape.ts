/** A family of metrics as `/metrics` shows it. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  readonly text: string;
  readonly families: ReadonlyMap<string, Family>;
  /** The sum of the samples of this name that have these labels; undefined: there are none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/;

/** What a service answers at `/metrics`. */
export async function scrape({ url }: { readonly url: string }): Promise<Scrape> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const families = new Map<string, Family & { samples: Sample[] }>();
  let family: (Family & { samples: Sample[] }) | undefined;
  for (const line of text.split('\n')) {
    const [, kind, about = '', rest = ''] = /^# (HELP|TYPE) (\w+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      family = { name: about, type: '', help: rest, samples: [] };
      families.set(about, family);
    } else if (kind === 'TYPE' && family !== undefined) Object.assign(family, { type: rest });
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name !== undefined) {
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
      family?.samples.push({
        name,
        labels: Object.fromEntries(pairs.map(([, label, of]) => [label as string, of as string])),
        value: Number(value),
      });
    }
  }
  const samples = [...families.values()].flatMap((one) => one.samples);
  return {
    text,
    families,
    value(wanted, labels = {}) {
      const found = samples.filter(
        (sample) =>
          sample.name === wanted &&
          Object.entries(labels).every(([label, of]) => sample.labels[label] === of),
      );
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

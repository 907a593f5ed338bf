import { Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { CHANGE_SETTINGS, CURRENCIES, WALLET_TYPES } from '@munshi/api';
import { Card, Effect, EffectDialog, Effects, Facts } from '@munshi/web-ui';
import { useState } from 'react';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import classes from './settings.module.css';
import type { Settings } from './shown-setting.tsx';

const PROVIDERS = ['ProviderA', 'ProviderB', 'Bank'] as const;

type Names = Readonly<Record<string, string>>;
type Maps = { readonly providers: Names; readonly methods: Names };
const NAMES = { providers: PROVIDERS, methods: WALLET_TYPES } as const;
const KINDS = ['providers', 'methods'] as const;
const LEGENDS = { providers: 'Providers', methods: 'Ways to pay' };

/** Where a name holds: for orders in a currency, or for all that have none of their own. */
const PLACES = ['all', ...CURRENCIES] as const;
type Place = (typeof PLACES)[number];
type Placed = Readonly<Record<Place, Maps>>;
const labelOf = (place: Place, own: string) => (place === 'all' ? own : `${own}, ${place}`);

function placed({ currencies = {}, ...all }: Settings['displayNames']): Placed {
  const of = (place: Place): Maps => {
    const { providers = {}, methods = {} } = place === 'all' ? all : (currencies[place] ?? {});
    return { providers, methods };
  };
  return { all: of('all'), PKR: of('PKR'), INR: of('INR'), BDT: of('BDT') };
}

/** How customers see providers and ways to pay. */
export function DisplayNames({
  settings: { displayNames },
  mayChange,
}: {
  readonly settings: Settings;
  readonly mayChange: boolean;
}) {
  const [changing, setChanging] = useState(false);
  const stored = placed(displayNames);
  const named = PLACES.flatMap((place) =>
    KINDS.flatMap((kind) =>
      Object.entries(stored[place][kind]).map(
        ([own, shown]) =>
          [labelOf(place, own), <bdi key={labelOf(place, own)}>{shown}</bdi>] as const,
      ),
    ),
  );
  return (
    <Card
      title="Display names"
      actions={
        mayChange ? (
          <Button variant="default" size="compact-sm" onClick={() => setChanging(true)}>
            Change display names
          </Button>
        ) : null
      }
    >
      <p className={`quiet ${classes['lead']}`}>
        What customers see as names of providers and ways to pay. Leave one empty to show its own
        name.
      </p>
      {named.length === 0 ? <p className={classes['lead']}>No name is changed yet.</p> : null}
      <Facts facts={named} />
      {changing ? <ChangeNames before={stored} onClose={() => setChanging(false)} /> : null}
    </Card>
  );
}

function ChangeNames({ before, onClose }: { readonly before: Placed; onClose(): void }) {
  const [ifItWaits, change] = useMayWait(CHANGE_SETTINGS);
  const [place, setPlace] = useState<Place>('all');
  const [names, setNames] = useState(before);
  const set = (kind: keyof Maps, own: string, name: string) =>
    setNames({
      ...names,
      [place]: { ...names[place], [kind]: { ...names[place][kind], [own]: name } },
    });
  const after = Object.fromEntries(
    PLACES.map((one) => [
      one,
      { providers: given(names[one].providers), methods: given(names[one].methods) },
    ]),
  ) as Placed;
  const { all, ...currencies } = after;
  const changed = PLACES.flatMap((one) =>
    KINDS.flatMap((kind) =>
      NAMES[kind].flatMap((own) => {
        // Without a name of its own a currency has the one for all.
        const shown = (of: Placed) => of[one][kind][own] ?? of.all[kind][own] ?? own;
        return before[one][kind][own] === after[one][kind][own]
          ? []
          : [{ what: labelOf(one, own), was: shown(before), is: shown(after) }];
      }),
    ),
  );
  const request = { body: { displayNames: { ...all, currencies } } };
  return (
    <EffectDialog
      title="Change display names"
      ready={changed.length > 0}
      onClose={onClose}
      onSend={async () => sayIfItWaits(await change(request))}
    >
      <Group gap="xs" mb="sm">
        <span id="names-for">For orders in</span>
        <SegmentedControl
          aria-labelledby="names-for"
          value={place}
          onChange={(one) => setPlace(one as Place)}
          data={PLACES.map((one) => ({ value: one, label: one === 'all' ? 'All' : one }))}
        />
      </Group>
      {KINDS.map((kind) => (
        <fieldset key={kind} className={classes['names']}>
          <legend>{LEGENDS[kind]}</legend>
          {NAMES[kind].map((own) => (
            <TextInput
              key={own}
              label={own}
              placeholder={place === 'all' ? own : (names.all[kind][own] ?? own)}
              maxLength={100}
              value={names[place][kind][own] ?? ''}
              onChange={({ currentTarget }) => set(kind, own, currentTarget.value)}
            />
          ))}
        </fieldset>
      ))}
      {changed.length === 0 ? null : (
        <Effects label="On the payment page">
          {changed.map(({ what, was, is }) => (
            <Effect key={what} what={what} before={was} after={<bdi>{is}</bdi>} />
          ))}
        </Effects>
      )}
      {ifItWaits(changed.length === 0 ? null : request)}
    </EffectDialog>
  );
}

/** Without those that are left empty: these show the own name. */
const given = (names: Names): Names =>
  Object.fromEntries(Object.entries(names).filter(([, name]) => name.trim() !== ''));

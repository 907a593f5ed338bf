import { Button, TextInput } from '@mantine/core';
import { CHANGE_SETTINGS, WALLET_TYPES } from '@munshi/api';
import { Card, Effect, EffectDialog, Effects, Facts, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { sayIfItWaits } from '../../say-if-it-waits.ts';
import classes from './settings.module.css';
import type { Settings } from './shown-setting.tsx';

const PROVIDERS = ['ProviderA', 'ProviderB', 'Bank'] as const;

type Names = Readonly<Record<string, string>>;
type Maps = { readonly providers: Names; readonly methods: Names };
const NAMES = { providers: PROVIDERS, methods: WALLET_TYPES } as const;
const KINDS = ['providers', 'methods'] as const;
const LEGENDS = { providers: 'Providers', methods: 'Ways to pay' };

/** How customers see providers and ways to pay. */
export function DisplayNames({
  settings: { displayNames },
  mayChange,
}: {
  readonly settings: Settings;
  readonly mayChange: boolean;
}) {
  const [changing, setChanging] = useState(false);
  const stored: Maps = {
    providers: displayNames.providers ?? {},
    methods: displayNames.methods ?? {},
  };
  const named = KINDS.flatMap((kind) => Object.entries(stored[kind]));
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
      <Facts facts={named.map(([own, shown]) => [own, <bdi key={own}>{shown}</bdi>] as const)} />
      {changing ? <ChangeNames before={stored} onClose={() => setChanging(false)} /> : null}
    </Card>
  );
}

function ChangeNames({ before, onClose }: { readonly before: Maps; onClose(): void }) {
  const change = useWrite(CHANGE_SETTINGS);
  const [maps, setMaps] = useState(before);
  const set = (kind: keyof Maps, own: string, name: string) =>
    setMaps({ ...maps, [kind]: { ...maps[kind], [own]: name } });
  const after = { providers: given(maps.providers), methods: given(maps.methods) };
  const changed = KINDS.flatMap((kind) =>
    NAMES[kind].flatMap((own) =>
      (before[kind][own] ?? own) === (after[kind][own] ?? own)
        ? []
        : [{ kind, own, was: before[kind][own] ?? own, is: after[kind][own] ?? own }],
    ),
  );
  return (
    <EffectDialog
      title="Change display names"
      ready={changed.length > 0}
      onClose={onClose}
      onSend={async () => sayIfItWaits(await change.send({ body: { displayNames: after } }))}
    >
      {KINDS.map((kind) => (
        <fieldset key={kind} className={classes['names']}>
          <legend>{LEGENDS[kind]}</legend>
          {NAMES[kind].map((own) => (
            <TextInput
              key={own}
              label={own}
              placeholder={own}
              maxLength={100}
              value={maps[kind][own] ?? ''}
              onChange={({ currentTarget }) => set(kind, own, currentTarget.value)}
            />
          ))}
        </fieldset>
      ))}
      {changed.length === 0 ? null : (
        <Effects label="On the payment page">
          {changed.map(({ kind, own, was, is }) => (
            <Effect key={`${kind} ${own}`} what={own} before={was} after={<bdi>{is}</bdi>} />
          ))}
        </Effects>
      )}
    </EffectDialog>
  );
}

/** Without those that are left empty: these show the own name. */
const given = (names: Names): Names =>
  Object.fromEntries(Object.entries(names).filter(([, name]) => name.trim() !== ''));

import { NumberInput, Switch, TextInput } from '@mantine/core';
import { CHANGE_SETTINGS, SAFEGUARDS, SECONDS_MIN } from '@munshi/api';
import { readAmount } from '@munshi/web';
import { Effect, EffectDialog, Effects, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { sayIfItWaits } from '../../say-if-it-waits.ts';
import { type SettingName, type Settings, shownSetting } from './shown-setting.tsx';
import { texts } from './texts.ts';

type Value = Settings[SettingName];

interface ChangeSettingProps {
  readonly name: SettingName;
  readonly settings: Settings;
  onClose(): void;
}

/** Changes one setting: its value before → after, and for whom. */
export function ChangeSetting({ name, settings, onClose }: ChangeSettingProps) {
  const change = useWrite(CHANGE_SETTINGS);
  const before = settings[name];
  const [after, setAfter] = useState<Value | undefined>(before);
  const { label, who } = texts.settings[name];
  const isSafeguard = (SAFEGUARDS as readonly SettingName[]).includes(name);
  return (
    <EffectDialog
      title={texts.changeOf(label)}
      button={texts.change}
      ready={after !== undefined && after !== before}
      onClose={onClose}
      onSend={async () => sayIfItWaits(await change.send({ body: { [name]: after } }))}
    >
      <p style={{ margin: 0 }}>{who}</p>
      {name === 'evidenceDays' ? (
        <Days value={settings.evidenceDays} onChange={setAfter} />
      ) : name === 'missedAlertsMax' ? (
        <Count label={label} value={settings[name]} onChange={setAfter} />
      ) : (
        <Field
          value={before}
          label={label}
          least={SECONDS_MIN[name as keyof typeof SECONDS_MIN] ?? 0}
          onChange={setAfter}
        />
      )}
      {after === undefined || after === before ? null : (
        <Effects label={label}>
          <Effect
            what={texts.now}
            before={shownSetting(settings, name)}
            after={shownSetting({ ...settings, [name]: after }, name)}
          />
        </Effects>
      )}
      {isSafeguard ? <p className="quiet">{texts.alone}</p> : null}
    </EffectDialog>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: Value;
  /** Seconds, of a duration. */
  readonly least: number;
  /** Undefined: what was typed is no value. */
  onChange(value: Value | undefined): void;
}

function Field({ label, value, least, onChange }: FieldProps) {
  if (typeof value === 'boolean')
    return (
      <Switch
        label={label}
        defaultChecked={value}
        data-autofocus
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (typeof value === 'number') return <Minutes value={value} least={least} onChange={onChange} />;
  return <Limit label={label} value={value} onChange={onChange} />;
}

function Minutes({
  value,
  least,
  onChange,
}: Pick<FieldProps, 'least' | 'onChange'> & { readonly value: number }) {
  const [typed, setTyped] = useState<string | number>(value / 60);
  const seconds = Math.round(Number(typed) * 60);
  const isValid = typed !== '' && seconds >= least;
  return (
    <NumberInput
      label={texts.minutes}
      description={isValid ? texts.asSeconds(seconds) : null}
      error={isValid ? null : texts.badMinutes(least)}
      data-autofocus
      min={0}
      max={525_600}
      decimalScale={2}
      value={typed}
      onChange={(next) => {
        setTyped(next);
        const nextSeconds = Math.round(Number(next) * 60);
        onChange(next !== '' && nextSeconds >= least ? nextSeconds : undefined);
      }}
    />
  );
}

/** From 1 to 100; null: nothing is typed; undefined: what is typed is no such number. */
function readCount(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  return /^([1-9]\d?|100)$/.test(text) ? Number(text) : undefined;
}

function Count({
  label,
  value,
  onChange,
}: Omit<FieldProps, 'value' | 'least'> & { readonly value: number | null }) {
  const [typed, setTyped] = useState(value === null ? '' : String(value));
  return (
    <TextInput
      label={label}
      description={texts.neverHint}
      error={readCount(typed) === undefined ? texts.badCount : null}
      inputMode="numeric"
      data-autofocus
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(readCount(currentTarget.value));
      }}
    />
  );
}

function Days({ value, onChange }: Pick<FieldProps, 'onChange'> & { readonly value: number }) {
  const [typed, setTyped] = useState<string | number>(value);
  const isValid = (days: string | number) => days !== '' && Number(days) >= 1;
  return (
    <NumberInput
      label={texts.days}
      error={isValid(typed) ? null : texts.badDays}
      data-autofocus
      min={0}
      max={3_650}
      allowDecimal={false}
      value={typed}
      onChange={(next) => {
        setTyped(next);
        onChange(isValid(next) ? Number(next) : undefined);
      }}
    />
  );
}

function Limit({
  label,
  value,
  onChange,
}: Omit<FieldProps, 'value' | 'least'> & { readonly value: string | null }) {
  const [typed, setTyped] = useState(value ?? '');
  const isBad = typed.trim() !== '' && readAmount(typed) === undefined;
  return (
    <TextInput
      label={`${label} (PKR)`}
      description={texts.noLimitHint}
      error={isBad ? texts.badAmount : null}
      inputMode="decimal"
      data-autofocus
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(currentTarget.value.trim() === '' ? null : readAmount(currentTarget.value));
      }}
    />
  );
}

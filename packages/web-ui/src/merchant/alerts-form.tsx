import { Switch, Textarea, TextInput } from '@mantine/core';
import type { AlertSettingsView, ChangeAlertSettings } from '@munshi/api';
import { type AsText, compareMoney, readAmount } from '@munshi/web';
import { type ReactNode, useState } from 'react';
import { Card } from '../page.tsx';
import { type AlertName, textsOf } from './alert-kinds.ts';
import classes from './merchant.module.css';
import { SaveBar } from './save-bar.tsx';
import { useSave } from './use-save.ts';

type Settings = AsText<AlertSettingsView>;
type Change = AsText<ChangeAlertSettings>;

/** Limits that alerts have: how they are typed, and read; undefined for what is none. */
const LIMITS = {
  amount: {
    input: { inputMode: 'decimal', maxLength: 24 },
    read(typed: string): string | undefined {
      const amount = readAmount(typed);
      return amount === undefined || compareMoney(amount, '0') <= 0 ? undefined : amount;
    },
  },
  count: {
    input: { inputMode: 'numeric', maxLength: 6 },
    read: (typed: string) => (/^[1-9]\d{0,5}$/.test(typed.trim()) ? Number(typed) : undefined),
  },
} as const;

interface Alert {
  readonly limit: keyof typeof LIMITS;
  /** Proposed where none was set. */
  readonly usual: string;
}

/** Each alert by its setting, in order: on or off, or with a limit. */
const ALERTS: Readonly<Record<AlertName, Alert | null>> = {
  lowBalance: { limit: 'amount', usual: '' },
  failingWebhooks: null,
  refusedRequests: { limit: 'count', usual: '10' },
  failedOrders: null,
};
const NAMES = Object.keys(ALERTS) as AlertName[];
const byName = <Value,>(read: (name: AlertName) => Value) =>
  Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<AlertName, Value>;

/** What the form holds: limits as they are typed, also while their alert is off. */
const typedOf = (settings: Settings) => ({
  chosen: byName((name) => settings[name] !== null && settings[name] !== false),
  limits: byName((name) => String(settings[name] ?? ALERTS[name]?.usual ?? '')),
  alertEmails: settings.alertEmails.join('\n'),
});
type Typed = ReturnType<typeof typedOf>;

/** The setting as it was typed; undefined where its limit is wrong. */
function settingOf({ chosen, limits }: Typed, name: AlertName) {
  const alert = ALERTS[name];
  if (alert === null) return chosen[name];
  return chosen[name] ? LIMITS[alert.limit].read(limits[name]) : null;
}

/** What is to be saved; undefined where a limit is wrong. */
function changeOf(typed: Typed): Change | undefined {
  const values = byName((name) => settingOf(typed, name));
  if (Object.values(values).includes(undefined)) return undefined;
  return {
    ...(values as Pick<Change, AlertName>),
    alertEmails: [...new Set(typed.alertEmails.split(/[\s,;]+/).filter((one) => one !== ''))],
  };
}

interface AlertsFormProps {
  readonly settings: Settings;
  send(change: Change): Promise<unknown>;
  /** Shown where no mail is set up: whom that concerns. */
  readonly noMail: string;
}

/** What a merchant is alerted to, and where. */
export function AlertsForm({ settings, send, noMail }: AlertsFormProps) {
  const mayChange = settings.allowedActions.includes('change');
  const change = useSave(mayChange, send);
  const [typed, setTyped] = useState(() => typedOf(settings));
  const [tried, setTried] = useState(false);
  const set = (part: Partial<Typed>) => setTyped({ ...typed, ...part });
  return (
    <Card>
      <p className={classes['hint']}>
        You are alerted once when a problem begins, and once when it is over.
      </p>
      <form
        className={classes['form']}
        onChange={change.touch}
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          const body = changeOf(typed);
          if (body !== undefined) void change.save(body);
        }}
      >
        <Group name="Alert when">
          {NAMES.map((name) => (
            <AlertField
              key={name}
              name={name}
              disabled={!mayChange}
              checked={typed.chosen[name]}
              onChange={(checked) => set({ chosen: { ...typed.chosen, [name]: checked } })}
              limit={typed.limits[name]}
              isWrong={tried && settingOf(typed, name) === undefined}
              onLimit={(limit) => set({ limits: { ...typed.limits, [name]: limit } })}
            />
          ))}
        </Group>
        <Group name="Send alerts to">
          <Textarea
            label="E-mail addresses"
            description="One on each line, five at most. A mail goes to each."
            autosize
            minRows={2}
            maxRows={5}
            disabled={!mayChange}
            value={typed.alertEmails}
            onChange={({ currentTarget }) => set({ alertEmails: currentTarget.value })}
          />
          {settings.mailAvailable ? null : (
            <p className={typed.alertEmails.trim() === '' ? 'quiet' : classes['warning']}>
              {noMail}
            </p>
          )}
        </Group>
        <SaveBar change={change} />
      </form>
    </Card>
  );
}

function Group({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <fieldset className={classes['group']}>
      <legend>{name}</legend>
      {children}
    </fieldset>
  );
}

interface AlertFieldProps {
  readonly name: AlertName;
  readonly disabled: boolean;
  readonly checked: boolean;
  onChange(checked: boolean): void;
  readonly limit: string;
  readonly isWrong: boolean;
  onLimit(limit: string): void;
}

/** One alert, which is on or off, with its limit while it is on. */
function AlertField({
  name,
  disabled,
  checked,
  onChange,
  limit,
  isWrong,
  onLimit,
}: AlertFieldProps) {
  const { label, hint, ...words } = textsOf(name);
  const alert = ALERTS[name];
  return (
    <div>
      <Switch
        label={label}
        description={hint}
        disabled={disabled}
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {checked && alert !== null ? (
        <div className={classes['limit']}>
          <TextInput
            {...LIMITS[alert.limit].input}
            label={words.limit}
            autoComplete="off"
            disabled={disabled}
            error={isWrong ? words.wrong : null}
            value={limit}
            onChange={({ currentTarget }) => onLimit(currentTarget.value)}
          />
        </div>
      ) : null}
    </div>
  );
}

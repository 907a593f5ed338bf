import { Switch, Textarea, TextInput } from '@mantine/core';
import type { AlertSettingsView, ChangeAlertSettings } from '@munshi/api';
import { type AsText, compareMoney, readAmount } from '@munshi/web';
import { type ReactNode, useState } from 'react';
import { Card } from '../page.tsx';
import classes from './merchant.module.css';
import { SaveBar } from './save-bar.tsx';
import { useSave } from './use-save.ts';

type Settings = AsText<AlertSettingsView>;
type Change = AsText<ChangeAlertSettings>;

/** What the form holds: the limit as it is typed, also while its alert is off. */
const typedOf = (settings: Settings) => ({
  lowBalance: settings.lowBalance !== null,
  limit: settings.lowBalance ?? '',
  failingWebhooks: settings.failingWebhooks,
  alertEmails: settings.alertEmails.join('\n'),
});
type Typed = ReturnType<typeof typedOf>;

/** The limit as it was typed, null while its alert is off; undefined where it is wrong. */
function limitOf({ lowBalance, limit }: Typed): string | null | undefined {
  if (!lowBalance) return null;
  const amount = readAmount(limit);
  return amount === undefined || compareMoney(amount, '0') <= 0 ? undefined : amount;
}

/** What is to be saved; undefined where the limit is wrong. */
function changeOf(typed: Typed): Change | undefined {
  const lowBalance = limitOf(typed);
  if (lowBalance === undefined) return undefined;
  return {
    lowBalance,
    failingWebhooks: typed.failingWebhooks,
    alertEmails: [...new Set(typed.alertEmails.split(/[\s,;]+/).filter((one) => one !== ''))],
  };
}

interface AlertsFormProps {
  readonly settings: Settings;
  send(change: Change): Promise<unknown>;
  /** What is said of a change that waits for a second operator, before it is sent. */
  ifItWaits?(change: Change): ReactNode;
  /** Shown where no mail is set up: whom that concerns. */
  readonly noMail: string;
}

/** What a merchant is alerted to, and where. */
export function AlertsForm({ settings, send, ifItWaits, noMail }: AlertsFormProps) {
  const mayChange = settings.allowedActions.includes('change');
  const change = useSave(mayChange, send, ifItWaits);
  const [typed, setTyped] = useState(() => typedOf(settings));
  const [tried, setTried] = useState(false);
  const set = (part: Partial<Typed>) => setTyped({ ...typed, ...part });
  return (
    <Card>
      <p className={classes['hint']}>
        You are alerted once when a problem begins, and once when it is over. A new API key always
        raises an alert.
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
          <Switch
            label="The balance is low"
            disabled={!mayChange}
            checked={typed.lowBalance}
            onChange={({ currentTarget }) => set({ lowBalance: currentTarget.checked })}
          />
          {typed.lowBalance ? (
            <div className={classes['limit']}>
              <TextInput
                label="Alert below (PKR available)"
                inputMode="decimal"
                maxLength={24}
                autoComplete="off"
                disabled={!mayChange}
                error={
                  tried && limitOf(typed) === undefined
                    ? 'An amount above 0, with at most 4 decimal places.'
                    : null
                }
                value={typed.limit}
                onChange={({ currentTarget }) => set({ limit: currentTarget.value })}
              />
            </div>
          ) : null}
          <Switch
            label="Webhooks fail"
            description="Three attempts in a row at one receiver."
            disabled={!mayChange}
            checked={typed.failingWebhooks}
            onChange={({ currentTarget }) => set({ failingWebhooks: currentTarget.checked })}
          />
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
        <SaveBar change={change} typed={changeOf(typed)} />
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

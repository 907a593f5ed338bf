import { Switch, Textarea, TextInput } from '@mantine/core';
import type { AlertSettingsView, ChangeAlertSettings } from '@munshi/api';
import { type AsText, compareMoney, readAmount } from '@munshi/web';
import { type ReactNode, useState } from 'react';
import { Card } from '../page.tsx';
import { fieldError } from '../states.tsx';
import { texts } from './alert-texts.ts';
import classes from './merchant.module.css';
import { SaveBar } from './save-bar.tsx';
import { useSave } from './use-save.ts';

type Settings = AsText<AlertSettingsView>;
type Change = AsText<ChangeAlertSettings>;

const REFUSED_USUAL = '10';

/** What the form holds: limits as they are typed, also while their alert is off. */
const typedOf = (settings: Settings) => ({
  isLowTold: settings.lowBalance !== null,
  lowBalance: settings.lowBalance ?? '',
  failingWebhooks: settings.failingWebhooks,
  areRefusedTold: settings.refusedRequests !== null,
  refusedRequests: settings.refusedRequests?.toString() ?? REFUSED_USUAL,
  failedOrders: settings.failedOrders,
  alertUrl: settings.alertUrl ?? '',
  alertEmails: settings.alertEmails.join('\n'),
});
type Typed = ReturnType<typeof typedOf>;

const COUNT = /^[1-9]\d{0,5}$/;
/** Undefined for what is no amount above 0. */
function amountOf(typed: string): string | undefined {
  const amount = readAmount(typed);
  return amount === undefined || compareMoney(amount, '0') <= 0 ? undefined : amount;
}

/** What is to be saved; undefined where a limit is wrong. */
function changeOf(typed: Typed): Change | undefined {
  const lowBalance = amountOf(typed.lowBalance);
  const refused = typed.refusedRequests.trim();
  if (typed.isLowTold && lowBalance === undefined) return undefined;
  if (typed.areRefusedTold && !COUNT.test(refused)) return undefined;
  return {
    alertUrl: typed.alertUrl.trim() === '' ? null : typed.alertUrl.trim(),
    alertEmails: [...new Set(typed.alertEmails.split(/[\s,;]+/).filter((one) => one !== ''))],
    lowBalance: typed.isLowTold ? (lowBalance as string) : null,
    failingWebhooks: typed.failingWebhooks,
    refusedRequests: typed.areRefusedTold ? Number(refused) : null,
    failedOrders: typed.failedOrders,
  };
}

interface AlertsFormProps {
  readonly settings: Settings;
  send(change: Change): Promise<unknown>;
  /** Shown where no mail is set up: whom that concerns. */
  readonly noMail: string;
}

/** What a merchant wants to be told of, and where. */
export function AlertsForm({ settings, send, noMail }: AlertsFormProps) {
  const mayChange = settings.allowedActions.includes('change');
  const change = useSave(mayChange, send);
  const [typed, setTyped] = useState(() => typedOf(settings));
  const [tried, setTried] = useState(false);
  const set = (part: Partial<Typed>) => setTyped({ ...typed, ...part });
  const wrong = (isTold: boolean, isRight: boolean, text: string) =>
    tried && isTold && !isRight ? text : null;
  return (
    <Card>
      <p className={classes['hint']}>{texts.lead}</p>
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
        <Group name={texts.when}>
          <Told
            label={texts.lowBalance}
            disabled={!mayChange}
            checked={typed.isLowTold}
            onChange={(isLowTold) => set({ isLowTold })}
          >
            <TextInput
              label={texts.lowBalanceLimit}
              inputMode="decimal"
              autoComplete="off"
              maxLength={24}
              disabled={!mayChange}
              error={wrong(
                typed.isLowTold,
                amountOf(typed.lowBalance) !== undefined,
                texts.lowBalanceWrong,
              )}
              value={typed.lowBalance}
              onChange={({ currentTarget }) => set({ lowBalance: currentTarget.value })}
            />
          </Told>
          <Told
            label={texts.failingWebhooks}
            hint={texts.failingWebhooksHint}
            disabled={!mayChange}
            checked={typed.failingWebhooks}
            onChange={(failingWebhooks) => set({ failingWebhooks })}
          />
          <Told
            label={texts.refusedRequests}
            disabled={!mayChange}
            checked={typed.areRefusedTold}
            onChange={(areRefusedTold) => set({ areRefusedTold })}
          >
            <TextInput
              label={texts.refusedRequestsLimit}
              inputMode="numeric"
              autoComplete="off"
              maxLength={6}
              disabled={!mayChange}
              error={wrong(
                typed.areRefusedTold,
                COUNT.test(typed.refusedRequests.trim()),
                texts.refusedRequestsWrong,
              )}
              value={typed.refusedRequests}
              onChange={({ currentTarget }) => set({ refusedRequests: currentTarget.value })}
            />
          </Told>
          <Told
            label={texts.failedOrders}
            hint={texts.failedOrdersHint}
            disabled={!mayChange}
            checked={typed.failedOrders}
            onChange={(failedOrders) => set({ failedOrders })}
          />
        </Group>
        <Group name={texts.where}>
          <TextInput
            label={texts.alertUrl}
            description={texts.alertUrlHint}
            type="url"
            maxLength={500}
            disabled={!mayChange}
            error={fieldError(change.error, 'alertUrl')}
            value={typed.alertUrl}
            onChange={({ currentTarget }) => set({ alertUrl: currentTarget.value })}
          />
          <Textarea
            label={texts.alertEmails}
            description={texts.alertEmailsHint}
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

interface ToldProps {
  readonly label: string;
  readonly hint?: string;
  readonly disabled: boolean;
  readonly checked: boolean;
  onChange(checked: boolean): void;
  /** Its limit, while it is on. */
  readonly children?: ReactNode;
}

/** One alert, which is on or off. */
function Told({ label, hint, disabled, checked, onChange, children }: ToldProps) {
  return (
    <div>
      <Switch
        label={label}
        description={hint}
        disabled={disabled}
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {checked && children !== undefined ? (
        <div className={classes['limit']}>{children}</div>
      ) : null}
    </div>
  );
}

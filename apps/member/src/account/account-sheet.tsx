import { MEMBER_PAUSE_ACCOUNT, MEMBER_STOP_ACCOUNT } from '@munshi/api';
import type { Outcome } from '@munshi/web';
import { useState } from 'preact/hooks';
import { moneyText, shortAccount, timeText } from '../format.ts';
import { texts } from '../language.ts';
import { accountMethod } from '../methods.ts';
import { HoldButton } from '../order/hold-button.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { CopyButton, Exact, ReadOff } from '../parts/values.tsx';
import { refusalText } from '../refusals.ts';
import { write } from '../session.ts';
import { refresh } from '../work/follow.ts';
import { learnMe, me } from '../work/known.ts';
import { type Account, Standing, usedText, waitingText } from './account-parts.tsx';
import { words } from './words.ts';

interface AccountSheetProps {
  readonly account: Account;
  readonly currency: string;
  onClose(): void;
}

/** An account with what it may take, and what its member can do with it. */
export function AccountSheet({ account, currency, onClose }: AccountSheetProps) {
  const [stopping, setStopping] = useState(false);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const params = { accountId: account.accountId };
  const act = async (asked: Promise<Answer>) => {
    setBusy(true);
    setWrong(null);
    const outcome = await asked;
    if (outcome?.ok) learnAccount(outcome.answer.data);
    else setWrong(outcome ? refusalText(outcome.refusal.code) : texts.value.signIn.unreachable);
    setBusy(false);
    if (outcome?.ok) onClose();
  };
  if (stopping)
    return (
      <Sheet title={words.value.stopTitle} onClose={onClose}>
        <p>{words.value.stopLead}</p>
        <p>{words.value.stopForGood}</p>
        <Wrong text={wrong} />
        <HoldButton
          key={String(busy)}
          tone="danger"
          label={words.value.stop}
          sure={words.value.stopSure(shortAccount(account.accountNumber))}
          disabled={busy}
          onDone={() => act(write(MEMBER_STOP_ACCOUNT, { params }))}
        />
      </Sheet>
    );
  const { status, paused } = account;
  // A suspended member can look.
  const active = me.value?.status === 'active';
  const pause = () => act(write(MEMBER_PAUSE_ACCOUNT, { params, body: { paused: !paused } }));
  return (
    <Sheet title={accountMethod(account)} onClose={onClose}>
      <Facts account={account} currency={currency} />
      <Wrong text={wrong} />
      {status === 'suspended' ? <p class="note calm">{words.value.stopped}</p> : null}
      {active && status === 'approved' ? (
        <>
          {paused ? null : <p class="hint">{words.value.pauseLead}</p>}
          <button
            type="button"
            class={paused ? 'primary' : 'secondary'}
            disabled={busy}
            onClick={() => void pause()}
          >
            {paused ? words.value.resume : words.value.pause}
          </button>
        </>
      ) : null}
      {!active || status === 'suspended' ? null : (
        <button type="button" class="quiet-link bad" onClick={() => setStopping(true)}>
          {words.value.stop}
        </button>
      )}
    </Sheet>
  );
}

type Answer = Outcome<typeof MEMBER_PAUSE_ACCOUNT> | undefined;

/** As the service has answered it; and whether orders come changes with it. */
export function learnAccount(answered: Account): void {
  const mine = me.value;
  if (mine === null) return;
  const known = mine.accounts.some(({ accountId }) => accountId === answered.accountId);
  const accounts = known
    ? mine.accounts.map((own) => (own.accountId === answered.accountId ? answered : own))
    : [...mine.accounts, answered];
  learnMe({ ...mine, accounts });
  void refresh();
}

export const Wrong = ({ text }: { readonly text: string | null }) => (
  <div role="alert">{text === null ? null : <p class="note bad">{text}</p>}</div>
);

function Facts({ account, currency }: { readonly account: Account; readonly currency: string }) {
  const { number, titleInWallet, limits, newDay, hasCode } = words.value;
  const limit = limitText(account, currency);
  return (
    <>
      <div class="account-top">
        <Standing account={account} />
        {account.status === 'pending' ? <span class="dim">{waitingText(account)}</span> : null}
      </div>
      <dl class="facts">
        <dt>{number}</dt>
        <dd>
          <ReadOff of={account.accountNumber} />
          <CopyButton value={account.accountNumber} what={number} />
        </dd>
        <dt>{titleInWallet}</dt>
        <dd>
          <Exact>{account.accountTitle}</Exact>
          {account.qrPayload === null ? null : <span class="dim">{hasCode}</span>}
        </dd>
        {account.currencies === null ? null : (
          <>
            <dt>{words.value.currency}</dt>
            <dd>{account.currencies.join(', ')}</dd>
          </>
        )}
        {account.status === 'pending' ? null : (
          <>
            <dt>{limits}</dt>
            <dd>
              {usedText(account, currency)}
              {limit === '' ? null : <span class="dim">{limit}</span>}
              {account.maximumPerDay === null ? null : (
                <span class="dim">{newDay(timeText(Date.UTC(2026, 0)))}</span>
              )}
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

function limitText({ minimumPerOrder, maximumPerOrder }: Account, currency: string): string {
  const { perOrder, atMost, atLeast } = words.value;
  const least = minimumPerOrder === null ? null : moneyText(minimumPerOrder, currency);
  const most = maximumPerOrder === null ? null : moneyText(maximumPerOrder, currency);
  if (least !== null && most !== null) return perOrder(least, most);
  if (most !== null) return atMost(most);
  return least === null ? '' : atLeast(least);
}

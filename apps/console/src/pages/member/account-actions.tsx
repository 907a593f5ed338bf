import { Button } from '@mantine/core';
import { APPROVE_ACCOUNT, CHANGE_ACCOUNT, SUSPEND_ACCOUNT } from '@munshi/api';
import { groupedAmount } from '@munshi/web';
import { Effect, EffectDialog, Effects, Facts, useWrite } from '@munshi/web-ui';
import { type ReactNode, useState } from 'react';
import { sayIfItWaits } from '../../say-if-it-waits.ts';
import { LIMITS, LimitFields, useLimits } from './limit-fields.tsx';
import classes from './member.module.css';
import { QrAmount } from './qr-amount.tsx';
import { QrCheck } from './qr-check.tsx';
import type { Account } from './shown.ts';
import { texts } from './texts.ts';

const ACTIONS = ['approve', 'suspend', 'change-limits'] as const;
type Action = (typeof ACTIONS)[number];
const DIALOGS = {
  approve: ApproveAccount,
  suspend: SuspendAccount,
  'change-limits': ChangeAccount,
};

interface DialogProps {
  readonly account: Account;
  /** Warnings about the account, such as another member's account with its number. */
  readonly warnings: ReactNode;
  onClose(): void;
}

/** What may be done with an account. */
export function AccountActions({ account, warnings }: Omit<DialogProps, 'onClose'>) {
  const [action, setAction] = useState<Action | null>(null);
  const allowed = ACTIONS.filter((one) => account.allowedActions.includes(one));
  if (allowed.length === 0) return null;
  const Dialog = action === null ? null : DIALOGS[action];
  return (
    <div className={classes['buttons']}>
      {allowed.map((one) => (
        <Button
          key={one}
          size="xs"
          variant={one === 'approve' ? 'light' : 'default'}
          aria-label={`${texts.accountActions[one]}: ${account.accountNumber}`}
          onClick={() => setAction(one)}
        >
          {texts.accountActions[one]}
        </Button>
      ))}
      {Dialog === null ? null : (
        <Dialog account={account} warnings={warnings} onClose={() => setAction(null)} />
      )}
    </div>
  );
}

function ApproveAccount({ account, warnings, onClose }: DialogProps) {
  const { send } = useWrite(APPROVE_ACCOUNT);
  const { accountId, accountNumber, accountTitle, qrPayload } = account;
  return (
    <EffectDialog
      title={texts.approveTitle(accountNumber)}
      onClose={onClose}
      onSend={async () => sayIfItWaits(await send({ params: { accountId } }))}
    >
      <p>{texts.approveEffect}</p>
      {qrPayload === null ? (
        <Facts
          facts={[
            [
              texts.number,
              <span key="number" className="number">
                {accountNumber}
              </span>,
            ],
            [texts.title, accountTitle],
          ]}
        />
      ) : (
        <QrCheck account={account} />
      )}
      {warnings}
      <p className="quiet">{texts.secondForAccount}</p>
    </EffectDialog>
  );
}

function SuspendAccount({ account: { accountId, accountNumber }, onClose }: DialogProps) {
  const { send } = useWrite(SUSPEND_ACCOUNT);
  return (
    <EffectDialog
      title={texts.suspendAccountTitle(accountNumber)}
      danger
      onClose={onClose}
      onSend={() => send({ params: { accountId } })}
    >
      <p>{texts.suspendEffect}</p>
    </EffectDialog>
  );
}

const shown = (limit: string | null) => (limit === null ? texts.noLimit : groupedAmount(limit));
const yesOrNo = (value: boolean) => (value ? texts.yes : texts.no);

function ChangeAccount({ account, onClose }: DialogProps) {
  const { send, error } = useWrite(CHANGE_ACCOUNT);
  // As it was when the dialog opened, so that another operator's change meanwhile is not undone.
  const [before] = useState(account);
  const { accountId, accountNumber, usedToday } = account;
  const limits = useLimits(before);
  const [qrAmount, setQrAmount] = useState(before.qrAmount);
  const { isWrong } = limits;
  const body = {
    ...Object.fromEntries(limits.changed.map((limit) => [limit, limits.of(limit)])),
    ...(qrAmount !== before.qrAmount && { qrAmount }),
  };
  const isReady = Object.keys(body).length > 0 && !isWrong;
  return (
    <EffectDialog
      title={texts.changeAccountTitle(accountNumber)}
      button={texts.changeAccountButton}
      ready={isReady}
      beside={LIMITS}
      onClose={onClose}
      onSend={async () => sayIfItWaits(await send({ params: { accountId }, body }))}
    >
      <p>{texts.changeAccountEffect(groupedAmount(usedToday))}</p>
      <LimitFields limits={limits} error={error} autoFocus />
      {before.qrPayload === null ? null : <QrAmount value={qrAmount} onChange={setQrAmount} />}
      {isReady ? (
        <Effects label={texts.accountBecomes}>
          {limits.changed.map((limit) => (
            <Effect
              key={limit}
              what={texts.limitNames[limit]}
              before={shown(before[limit])}
              after={shown(limits.of(limit) ?? null)}
            />
          ))}
          {qrAmount === before.qrAmount ? null : (
            <Effect
              what={texts.qrAmount}
              before={yesOrNo(before.qrAmount)}
              after={yesOrNo(qrAmount)}
            />
          )}
        </Effects>
      ) : null}
      <p className="quiet">{texts.secondForLimits}</p>
    </EffectDialog>
  );
}

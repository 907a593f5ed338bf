import { Button } from '@mantine/core';
import { APPROVE_ACCOUNT, CHANGE_ACCOUNT, SUSPEND_ACCOUNT } from '@munshi/api';
import { groupedAmount } from '@munshi/web';
import { EffectDialog, Facts, useWrite } from '@munshi/web-ui';
import { type ReactNode, useState } from 'react';
import { EditDialog } from '../../edit-dialog.tsx';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import classes from './member.module.css';
import { ACCOUNT, namesShown } from './member-fields.ts';
import { QrCheck } from './qr-check.tsx';
import type { Account, TabProps } from './shown.ts';

const ACCOUNT_ACTIONS = { approve: 'Approve', suspend: 'Suspend', 'change-limits': 'Change' };

const ACTIONS = ['approve', 'suspend', 'change-limits'] as const;
type Action = (typeof ACTIONS)[number];
const DIALOGS = {
  approve: ApproveAccount,
  suspend: SuspendAccount,
  'change-limits': ChangeAccount,
};

interface DialogProps extends Pick<TabProps, 'standing'> {
  readonly account: Account;
  /** Warnings about the account, such as another member's account with its number. */
  readonly warnings: ReactNode;
  onClose(): void;
}

/** What may be done with an account. */
export function AccountActions({ account, standing, warnings }: Omit<DialogProps, 'onClose'>) {
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
          aria-label={`${ACCOUNT_ACTIONS[one]}: ${account.accountNumber}`}
          onClick={() => setAction(one)}
        >
          {ACCOUNT_ACTIONS[one]}
        </Button>
      ))}
      {Dialog === null ? null : (
        <Dialog
          account={account}
          standing={standing}
          warnings={warnings}
          onClose={() => setAction(null)}
        />
      )}
    </div>
  );
}

function ApproveAccount({ account, warnings, onClose }: DialogProps) {
  const [ifItWaits, send] = useMayWait(APPROVE_ACCOUNT);
  const { accountId, accountNumber, accountTitle, qrPayload } = account;
  return (
    <EffectDialog
      title={`Approve ${accountNumber}`}
      onClose={onClose}
      onSend={async () => sayIfItWaits(await send({ params: { accountId } }))}
    >
      <p>Customers pay to it, and orders come.</p>
      {qrPayload === null ? (
        <Facts
          facts={[
            [
              'Number',
              <span key="number" className="number">
                {accountNumber}
              </span>,
            ],
            ['Title', accountTitle],
          ]}
        />
      ) : (
        <QrCheck account={account} />
      )}
      {warnings}
      {ifItWaits({ params: { accountId } })}
    </EffectDialog>
  );
}

function SuspendAccount({ account: { accountId, accountNumber }, onClose }: DialogProps) {
  const { send } = useWrite(SUSPEND_ACCOUNT);
  return (
    <EffectDialog
      title={`Suspend ${accountNumber}`}
      danger
      onClose={onClose}
      onSend={() => send({ params: { accountId } })}
    >
      <p>Unpaid deposits to it leave it at once. No order comes to it.</p>
    </EffectDialog>
  );
}

function ChangeAccount({ account, standing, onClose }: DialogProps) {
  const { accountId, accountNumber, usedToday } = account;
  return (
    <EditDialog
      title={`Change ${accountNumber}`}
      button="Change the account"
      lead={
        <p>
          Changes apply to orders from now on. PKR {groupedAmount(usedToday)} was already used today
          (UTC), and the daily limit cannot be below that.
        </p>
      }
      fields={ACCOUNT}
      shown={namesShown(Object.keys(ACCOUNT) as (keyof typeof ACCOUNT)[], account, standing)}
      before={account}
      endpoint={CHANGE_ACCOUNT}
      request={(body) => ({ params: { accountId }, body })}
      onClose={onClose}
    />
  );
}

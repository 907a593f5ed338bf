import { Button } from '@mantine/core';
import { APPROVE_ACCOUNT, CHANGE_ACCOUNT, SUSPEND_ACCOUNT } from '@munshi/api';
import { groupedAmount } from '@munshi/web';
import { EffectDialog, Facts, useWrite } from '@munshi/web-ui';
import { type ReactNode, useState } from 'react';
import { EditDialog } from '../../edit-dialog.tsx';
import classes from './member.module.css';
import { LIMIT_NAMES, LIMITS, qrAmount } from './member-fields.ts';
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
      onSend={() => send({ params: { accountId } })}
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

function ChangeAccount({ account, onClose }: DialogProps) {
  const { accountId, accountNumber, usedToday, qrPayload } = account;
  return (
    <EditDialog
      title={texts.changeAccountTitle(accountNumber)}
      button={texts.changeAccountButton}
      lead={<p>{texts.changeAccountEffect(groupedAmount(usedToday))}</p>}
      fields={{ ...LIMITS, qrAmount }}
      {...(qrPayload === null && { shown: LIMIT_NAMES })}
      before={account}
      endpoint={CHANGE_ACCOUNT}
      request={(body) => ({ params: { accountId }, body })}
      onClose={onClose}
    >
      <p className="quiet">{texts.secondForLimits}</p>
    </EditDialog>
  );
}

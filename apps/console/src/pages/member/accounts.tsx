import { Button } from '@mantine/core';
import { APPROVE_ACCOUNT, type MemberAccountView, SUSPEND_ACCOUNT } from '@munshi/api';
import { type AsText, groupedAmount } from '@munshi/web';
import { Card, Chip, Copy, EffectDialog, Empty, Facts, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { Link } from 'wouter';
import { useMethodName } from '../../method-names.tsx';
import classes from './member.module.css';
import type { TabProps } from './page.tsx';
import { texts } from './texts.ts';

type Account = AsText<MemberAccountView>;
const TONES = { pending: 'needed', approved: 'done', suspended: 'failed' } as const;

/** Their accounts, those that wait for approval first. */
export function AccountsTab({ member, standing }: TabProps) {
  const nameOf = useMethodName();
  if (member.accounts.length === 0) return <Empty>{<p>{texts.noAccounts}</p>}</Empty>;
  const waitingFirst = member.accounts.toSorted(
    (a, b) => Number(b.status === 'pending') - Number(a.status === 'pending'),
  );
  return (
    <div className={classes['accounts']}>
      {waitingFirst.map((account) => (
        <Card
          key={account.accountId}
          title={`${nameOf(account.walletType)} ${account.accountNumber}`}
          actions={<Chip tone={TONES[account.status]} label={texts.statuses[account.status]} />}
        >
          <Facts
            facts={[
              [
                texts.number,
                <Copy key="number" value={account.accountNumber} what={texts.number} />,
              ],
              [texts.title, account.accountTitle],
              account.qrPayload === null
                ? null
                : [
                    texts.qr,
                    <span key="qr" className={classes['payload']}>
                      {account.qrPayload}
                    </span>,
                  ],
              [texts.limits, limitsOf(account)],
            ]}
          />
          {standing.sameNumbers
            .filter(({ accountId }) => accountId === account.accountId)
            .map(({ otherAccountId, memberId, memberName }) => (
              <p key={otherAccountId} className={classes['warning']}>
                <Link href={`/members/${memberId}/accounts`}>{texts.sameNumber(memberName)}</Link>
              </p>
            ))}
          <AccountActions account={account} />
        </Card>
      ))}
    </div>
  );
}

function limitsOf(account: Account): string {
  const { minimumPerOrder, maximumPerOrder, maximumPerDay, usedToday } = account;
  const parts = [
    minimumPerOrder === null && maximumPerOrder === null
      ? null
      : texts.perOrder(
          groupedAmount(minimumPerOrder ?? '0'),
          maximumPerOrder === null ? texts.any : groupedAmount(maximumPerOrder),
        ),
    maximumPerDay === null
      ? null
      : texts.perDay(groupedAmount(usedToday), groupedAmount(maximumPerDay)),
  ].filter((part) => part !== null);
  return parts.length === 0 ? texts.none : parts.join(', ');
}

function AccountActions({ account }: { readonly account: Account }) {
  const [action, setAction] = useState<'approve' | 'suspend' | null>(null);
  const approve = useWrite(APPROVE_ACCOUNT);
  const suspend = useWrite(SUSPEND_ACCOUNT);
  const { accountId, accountNumber, allowedActions } = account;
  if (allowedActions.length === 0) return null;
  const request = { params: { accountId } };
  return (
    <div className={classes['buttons']}>
      {allowedActions.includes('approve') ? (
        <Button size="xs" variant="light" onClick={() => setAction('approve')}>
          {texts.approve}
        </Button>
      ) : null}
      {allowedActions.includes('suspend') ? (
        <Button size="xs" variant="default" onClick={() => setAction('suspend')}>
          {texts.suspend}
        </Button>
      ) : null}
      {action === null ? null : (
        <EffectDialog
          title={
            action === 'approve'
              ? texts.approveTitle(accountNumber)
              : texts.suspendAccountTitle(accountNumber)
          }
          danger={action === 'suspend'}
          onClose={() => setAction(null)}
          onSend={() => (action === 'approve' ? approve.send(request) : suspend.send(request))}
        >
          <p>{action === 'approve' ? texts.approveEffect : texts.suspendEffect}</p>
        </EffectDialog>
      )}
    </div>
  );
}

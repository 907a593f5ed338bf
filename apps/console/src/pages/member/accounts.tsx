import { LIST_APPROVALS } from '@munshi/api';
import { groupedAmount } from '@munshi/web';
import { Card, Chip, Copy, Empty, Facts, useRead } from '@munshi/web-ui';
import { Link } from 'wouter';
import { texts as fieldTexts } from '../../changes-texts.ts';
import { useMethodName } from '../../method-names.tsx';
import { AccountActions } from './account-actions.tsx';
import { AddAccount } from './add-account.tsx';
import classes from './member.module.css';
import { AccountWarning, QrCheck } from './qr-check.tsx';
import type { Account, TabProps } from './shown.ts';
import { texts } from './texts.ts';

const TONES = { pending: 'needed', approved: 'done', suspended: 'failed' } as const;

/** Their accounts, those that wait for approval first. */
export function AccountsTab({ member, standing }: TabProps) {
  const nameOf = useMethodName();
  const waitingFirst = member.accounts.toSorted(
    (a, b) => Number(b.status === 'pending') - Number(a.status === 'pending'),
  );
  return (
    <>
      <div className={classes['above']}>
        <AddAccount member={member} />
      </div>
      {waitingFirst.length === 0 ? (
        <Empty>
          <p>{texts.noAccounts}</p>
        </Empty>
      ) : null}
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
                [texts.limits, limitsOf(account)],
                account.qrPayload === null
                  ? null
                  : [fieldTexts.field('qrAmount'), account.qrAmount ? texts.yes : texts.no],
              ]}
            />
            <QrCheck account={account} />
            <SameNumbers account={account} standing={standing} />
            <WaitingChanges account={account} />
            {member.controlledByYou &&
            account.status === 'pending' &&
            !account.allowedActions.includes('approve') ? (
              <p className="quiet">{texts.controlled}</p>
            ) : null}
            <AccountActions
              account={account}
              warnings={<SameNumbers account={account} standing={standing} />}
            />
          </Card>
        ))}
      </div>
    </>
  );
}

function SameNumbers({
  account,
  standing,
}: Pick<TabProps, 'standing'> & { readonly account: Account }) {
  return standing.sameNumbers
    .filter(({ accountId }) => accountId === account.accountId)
    .map(({ otherAccountId, memberId, memberName }) => (
      <AccountWarning key={otherAccountId}>
        <Link href={`/members/${memberId}/accounts`}>{texts.sameNumber(memberName)}</Link>
      </AccountWarning>
    ));
}

/** What somebody has asked for and another operator has yet to approve. */
function WaitingChanges({ account: { accountId } }: { readonly account: Account }) {
  const query = { status: 'pending', target: accountId } as const;
  const { data } = useRead(LIST_APPROVALS, { query }, { watch: ['approval'] });
  return data?.data.map(({ approvalId, requestedName }) => (
    <p key={approvalId} className={classes['waits']}>
      <Link href={`/approvals?open=${approvalId}`}>{texts.waitsOn(requestedName)}</Link>
    </p>
  ));
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

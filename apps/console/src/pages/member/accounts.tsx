import { LIST_APPROVALS } from '@munshi/api';
import { groupedAmount } from '@munshi/web';
import { Card, Chip, Copy, Empty, Facts, useRead } from '@munshi/web-ui';
import { Link } from 'wouter';
import { fieldLabel } from '../../field-names.ts';
import { useMethodName } from '../../method-names.ts';
import { AccountActions } from './account-actions.tsx';
import { AddAccount } from './add-account.tsx';
import classes from './member.module.css';
import { AccountWarning, QrCheck } from './qr-check.tsx';
import { ACCOUNT_STATUSES, type Account, type TabProps } from './shown.ts';

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
        <AddAccount member={member} standing={standing} />
      </div>
      {waitingFirst.length === 0 ? (
        <Empty>
          <p>They have no account yet. They add one in their app, or an admin adds it here.</p>
        </Empty>
      ) : null}
      <div className={classes['accounts']}>
        {waitingFirst.map((account) => (
          <Card
            key={account.accountId}
            title={`${nameOf(account.walletType, onlyCurrency(account))} ${account.accountNumber}`}
            actions={<Chip tone={TONES[account.status]} label={ACCOUNT_STATUSES[account.status]} />}
          >
            <Facts
              facts={[
                ['Number', <Copy key="number" value={account.accountNumber} what="Number" />],
                ['Title', account.accountTitle],
                account.currencies === null
                  ? null
                  : [fieldLabel('currencies'), account.currencies.join(', ')],
                ['Limits, PKR', limitsOf(account)],
                account.qrPayload === null
                  ? null
                  : [fieldLabel('qrAmount'), account.qrAmount ? 'Yes' : 'No'],
              ]}
            />
            <QrCheck account={account} />
            <SameNumbers account={account} standing={standing} />
            <Waits account={account} />
            {member.credentialByYou && account.allowedActions.includes('approve') ? (
              <p className="quiet">
                You last gave this member a password or link: while a second operator is required,
                another one approves this account.
              </p>
            ) : null}
            <AccountActions
              account={account}
              standing={standing}
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
        <Link href={`/members/${memberId}/accounts`}>
          {memberName} has an account with this number too.
        </Link>
      </AccountWarning>
    ));
}

/** What another operator has yet to approve; where nothing was asked for, why no order comes. */
function Waits({ account: { accountId, status } }: { readonly account: Account }) {
  const query = { status: 'pending', target: accountId } as const;
  const { data } = useRead(LIST_APPROVALS, { query }, { watch: ['approval'] });
  const requests = (data?.data ?? []).map((asked) => ({
    ...asked,
    toApprove: asked.request['status'] === 'approved',
  }));
  return (
    <>
      {status === 'pending' &&
      data !== undefined &&
      !requests.some(({ toApprove }) => toApprove) ? (
        <p className={classes['waits']}>No order comes to it before an operator approves it.</p>
      ) : null}
      {requests.map(({ approvalId, requestedName, toApprove }) => (
        <p key={approvalId} className={classes['waits']}>
          <Link href={`/approvals?open=${approvalId}`}>
            {requestedName} has asked{' '}
            {toApprove
              ? 'to approve it; another operator has yet to agree.'
              : 'for a change, which waits for approval.'}
          </Link>
        </p>
      ))}
    </>
  );
}

/** An account of one currency is called as its customers call it. */
const onlyCurrency = ({ currencies }: Account) =>
  currencies?.length === 1 ? currencies[0] : undefined;

function limitsOf(account: Account): string {
  const { minimumPerOrder, maximumPerOrder, maximumPerDay, usedToday } = account;
  const most = maximumPerOrder === null ? 'any amount' : groupedAmount(maximumPerOrder);
  const parts = [
    minimumPerOrder === null && maximumPerOrder === null
      ? null
      : `${groupedAmount(minimumPerOrder ?? '0')} to ${most} an order`,
    maximumPerDay === null
      ? null
      : `${groupedAmount(usedToday)} of ${groupedAmount(maximumPerDay)} today`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

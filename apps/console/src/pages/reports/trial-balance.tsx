import { TextInput } from '@mantine/core';
import { READ_TRIAL_BALANCE, type TrialBalanceView } from '@munshi/api';
import { type AsText, addMoney, amountText, isZero, subtractMoney } from '@munshi/web';
import { Card, Chip, type Column, DataTable, Loaded, Money, useRead } from '@munshi/web-ui';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useState } from 'react';
import classes from './reports.module.css';
import { wholeList } from './whole-list.ts';

const NAMES = {
  wallets: 'Merchants’ wallets',
  frozen: 'Merchants’ frozen money',
  floats: 'Members’ floats',
  fees: 'Fees',
  adjustments: 'Adjustments by operators',
};

type Trial = AsText<TrialBalanceView>;
type Account = Trial['accounts'][number];

/** By how much what is held differs from the ledger; null where nothing is held. */
const difference = ({ projected, balance }: Account): string | null =>
  projected === null ? null : subtractMoney(projected, balance);

/** Whether the books sum to zero, and the accounts that they are made of. */
export function TrialBalance() {
  const [typed, setTyped] = useState('');
  const at = Date.parse(typed);
  const query = Number.isNaN(at) ? {} : { at: new Date(at).toISOString() };
  const read = useRead(READ_TRIAL_BALANCE, { query }, { watch: ['approval'] });
  return (
    <Card
      title="Trial balance"
      actions={
        <TextInput
          type="datetime-local"
          size="xs"
          label="As of"
          title="Just before this time, by your clock; now unless it is set"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      }
    >
      <Loaded read={read} rows={6}>
        {({ data }) => (
          <>
            <Verdict trial={data} />
            <DataTable
              label="Accounts of the ledger"
              list={wholeList(data.accounts, 'accounts')}
              rowId={({ account }) => account}
              rowLabel={({ account }) => NAMES[account]}
              empty={null}
              columns={COLUMNS}
            />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Verdict({ trial: { accounts, postings, total } }: { readonly trial: Trial }) {
  const sums = isZero(total);
  const holds = accounts.every((account) => isZero(difference(account) ?? '0'));
  const isHeld = accounts.some(({ projected }) => projected !== null);
  if (sums && holds)
    return (
      <div className={classes['verdict']} role="status">
        <ShieldCheck size={24} aria-hidden />
        <div>
          <strong>The books balance</strong>
          <p>
            {postings.toLocaleString('en')} entries of the ledger: the five accounts sum to exactly
            0. {isHeld ? 'What wallets and floats hold is what the ledger says.' : null}
          </p>
        </div>
      </div>
    );
  return (
    <div className={classes['verdict']} data-wrong role="alert">
      <ShieldAlert size={24} aria-hidden />
      <div>
        <strong>The books do not balance</strong>
        <p>
          {sums
            ? 'What is held is not what the ledger says.'
            : `The five accounts sum to ${amountText(total, 'PKR')} and not to 0.`}{' '}
          Tell whoever runs the service: munshi verify names what is wrong. Adjust nothing until
          then.
        </p>
      </div>
    </div>
  );
}

const COLUMNS: readonly Column<Account>[] = [
  {
    id: 'account',
    header: 'Account',
    cell: ({ account }) => NAMES[account],
    total: () => 'Sum',
  },
  {
    id: 'balance',
    header: 'By the ledger',
    align: 'end',
    cell: ({ balance }) => <Money amount={balance} />,
    total: (rows) => <Money amount={addMoney(...rows.map(({ balance }) => balance))} />,
  },
  {
    id: 'held',
    header: 'Held now',
    align: 'end',
    cell: ({ projected }) => (projected === null ? null : <Money amount={projected} />),
  },
  { id: 'check', header: 'Check', cell: (account) => <Checked account={account} /> },
];

function Checked({ account }: { readonly account: Account }) {
  const off = difference(account);
  if (off === null) return <span className="quiet">Kept in the ledger alone</span>;
  return isZero(off) ? (
    <Chip tone="done" label="Agrees" />
  ) : (
    <Chip tone="failed" label={`Off by ${amountText(off, 'PKR')}`} />
  );
}

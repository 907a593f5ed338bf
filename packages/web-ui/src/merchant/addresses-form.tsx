import { ActionIcon, Button, Select, Switch, TextInput } from '@mantine/core';
import Trash from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { Card } from '../page.tsx';
import { type AddressList, AddressTest, type TestAddress } from './address-test.tsx';
import classes from './merchant.module.css';
import { SaveBar } from './save-bar.tsx';
import type { Save } from './use-save.ts';

const SCOPE_NAMES = { Both: 'Everything', Deposit: 'Deposits', Withdrawal: 'Withdrawals' };

type Entry = AddressList['entries'][number];
const SCOPES = ['Both', 'Deposit', 'Withdrawal'] as const;

interface AddressesProps {
  /** As it is stored. */
  readonly ipWhitelist: AddressList;
  readonly change: Save<{ readonly ipWhitelist: AddressList }>;
  readonly test: TestAddress;
  /** Of the person who looks, to add with one press. */
  readonly yourAddress?: string;
}

/** From where a merchant's keys work. */
export function AddressesForm({ ipWhitelist, change, test, yourAddress }: AddressesProps) {
  const [enabled, setEnabled] = useState(ipWhitelist.enabled);
  const [rows, setRows] = useState(() =>
    ipWhitelist.entries.map((entry, at) => ({ id: at, ...entry })),
  );
  const set = (id: number, changed: Partial<Entry>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...changed } : row)));
  const add = (address: string) => {
    const id = Math.max(-1, ...rows.map((row) => row.id)) + 1;
    setRows([...rows, { id, address, scope: 'Both' }]);
    change.touch();
  };
  const isListed = (address: string) => rows.some((row) => row.address.trim() === address);
  const off = !change.mayChange;
  const typed = {
    enabled,
    entries: rows.map(({ address, scope }) => ({ address: address.trim(), scope })),
  };
  return (
    <>
      <Card>
        <p className={classes['hint']}>Empty and off: its keys work from everywhere.</p>
        <form
          className={classes['form']}
          onChange={change.touch}
          onSubmit={(event) => {
            event.preventDefault();
            void change.save({ ipWhitelist: typed });
          }}
        >
          <Switch
            label="Only from these addresses"
            checked={enabled}
            disabled={off}
            onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
          />
          {rows.length === 0 ? <p className="quiet">No address is listed.</p> : null}
          {rows.map(({ id, address, scope }) => (
            <div key={id} className={classes['row']}>
              <TextInput
                label="Address or block"
                maxLength={100}
                disabled={off}
                value={address}
                onChange={({ currentTarget }) => set(id, { address: currentTarget.value })}
              />
              <Select
                label="For"
                allowDeselect={false}
                disabled={off}
                data={SCOPES.map((value) => ({ value, label: SCOPE_NAMES[value] }))}
                value={scope}
                onChange={(chosen) => set(id, { scope: (chosen ?? 'Both') as Entry['scope'] })}
              />
              {off ? null : (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={`Remove ${address}`}
                  onClick={() => {
                    setRows(rows.filter((row) => row.id !== id));
                    change.touch();
                  }}
                >
                  <Trash size={16} aria-hidden />
                </ActionIcon>
              )}
            </div>
          ))}
          {off ? null : (
            <div className={classes['save']}>
              <Button variant="default" size="xs" onClick={() => add('')}>
                Add an address
              </Button>
              {yourAddress === undefined || isListed(yourAddress) ? null : (
                <Button variant="default" size="xs" onClick={() => add(yourAddress)}>
                  Add my address now, {yourAddress}
                </Button>
              )}
            </div>
          )}
          <SaveBar change={change} typed={{ ipWhitelist: typed }} />
        </form>
      </Card>
      <AddressTest ipWhitelist={typed} ask={test} />
    </>
  );
}

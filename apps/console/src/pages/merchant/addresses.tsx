import { ActionIcon, Button, Select, Switch, TextInput } from '@mantine/core';
import { Card } from '@munshi/web-ui';
import Trash from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { AddressTest } from './address-test.tsx';
import classes from './merchant.module.css';
import type { Merchant, TabProps } from './page.tsx';
import { SaveBar } from './save-bar.tsx';
import { texts } from './texts.ts';
import { useChange } from './use-change.ts';

type Entry = Merchant['ipWhitelist']['entries'][number];
const SCOPES = ['Both', 'Deposit', 'Withdrawal'] as const;

/** From where the merchant's keys work. */
export function AddressesTab({ merchant }: TabProps) {
  const change = useChange(merchant);
  const [enabled, setEnabled] = useState(merchant.ipWhitelist.enabled);
  const [rows, setRows] = useState(() =>
    merchant.ipWhitelist.entries.map((entry, at) => ({ id: at, ...entry })),
  );
  const set = (id: number, changed: Partial<Entry>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...changed } : row)));
  const off = !change.mayChange;
  const typed = {
    enabled,
    entries: rows.map(({ address, scope }) => ({ address: address.trim(), scope })),
  };
  return (
    <>
      <Card>
        <p className={classes['hint']}>{texts.addressesHint}</p>
        <form
          className={classes['form']}
          onChange={change.touch}
          onSubmit={(event) => {
            event.preventDefault();
            void change.save({ ipWhitelist: typed });
          }}
        >
          <Switch
            label={texts.restrict}
            checked={enabled}
            disabled={off}
            onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
          />
          {rows.length === 0 ? <p className="quiet">{texts.noAddresses}</p> : null}
          {rows.map(({ id, address, scope }) => (
            <div key={id} className={classes['row']}>
              <TextInput
                label={texts.address}
                maxLength={100}
                disabled={off}
                value={address}
                onChange={({ currentTarget }) => set(id, { address: currentTarget.value })}
              />
              <Select
                label={texts.scope}
                allowDeselect={false}
                disabled={off}
                data={SCOPES.map((value) => ({ value, label: texts.scopes[value] }))}
                value={scope}
                onChange={(chosen) => set(id, { scope: (chosen ?? 'Both') as Entry['scope'] })}
              />
              {off ? null : (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={texts.removeAddress(address)}
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
            <div>
              <Button
                variant="default"
                size="xs"
                onClick={() =>
                  setRows([
                    ...rows,
                    {
                      id: Math.max(-1, ...rows.map(({ id }) => id)) + 1,
                      address: '',
                      scope: 'Both',
                    },
                  ])
                }
              >
                {texts.addAddress}
              </Button>
            </div>
          )}
          <SaveBar change={change} />
        </form>
      </Card>
      <AddressTest merchantId={merchant.merchantId} ipWhitelist={typed} />
    </>
  );
}

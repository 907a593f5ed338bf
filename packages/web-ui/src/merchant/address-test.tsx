import { Button, TextInput } from '@mantine/core';
import type { AddressTestView } from '@munshi/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Card, Facts } from '../page.tsx';
import { Refusal } from '../states.tsx';
import { Chip } from '../status-chip.tsx';
import classes from './merchant.module.css';

export interface AddressList {
  readonly enabled: boolean;
  readonly entries: readonly {
    readonly address: string;
    readonly scope: 'Both' | 'Deposit' | 'Withdrawal';
  }[];
}
/** Asks the service whether an address is let in by a list. */
export type TestAddress = (asked: {
  readonly address: string;
  readonly ipWhitelist: AddressList;
}) => Promise<AddressTestView>;

/** Whether an address would be let in, and by which entry: the service says it. */
export function AddressTest({
  ipWhitelist,
  ask,
}: {
  readonly ipWhitelist: AddressList;
  readonly ask: TestAddress;
}) {
  const [address, setAddress] = useState('');
  const asked = JSON.stringify({ address: address.trim(), ipWhitelist });
  const test = useMutation({
    mutationFn: async () => ({ ...(await ask(JSON.parse(asked))), asked }),
  });
  const known = test.data?.asked === asked ? test.data : undefined;
  return (
    <Card title="Test an address">
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          test.mutate();
        }}
      >
        <div className={classes['row']}>
          <TextInput
            label="Address of a caller"
            description="By the list as it stands above, saved or not."
            maxLength={100}
            autoComplete="off"
            value={address}
            onChange={({ currentTarget }) => setAddress(currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            loading={test.isPending}
            disabled={address.trim() === ''}
          >
            Test
          </Button>
        </div>
        <Refusal error={test.error} />
        <div role="status">{known === undefined ? null : <Verdicts verdicts={known} />}</div>
      </form>
    </Card>
  );
}

function Verdicts({ verdicts }: { readonly verdicts: AddressTestView }) {
  if (!verdicts.restricted) return <Chip tone="done" label="Let in: the list is off." />;
  const shown = ({ entry }: AddressTestView['deposits']) =>
    entry === null ? (
      <Chip tone="failed" label="refused: no entry lets it in" />
    ) : (
      <Chip tone="done" label={`let in by ${entry}`} />
    );
  return (
    <Facts
      facts={[
        ['Deposits', shown(verdicts.deposits)],
        ['Withdrawals', shown(verdicts.withdrawals)],
      ]}
    />
  );
}

import { Button, TextInput } from '@mantine/core';
import type { AddressTestView } from '@munshi/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Card, Facts } from '../page.tsx';
import { Refusal } from '../states.tsx';
import { Chip } from '../status-chip.tsx';
import classes from './merchant.module.css';
import { texts } from './texts.ts';

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
    <Card title={texts.testAddress}>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          test.mutate();
        }}
      >
        <div className={classes['row']}>
          <TextInput
            label={texts.testLabel}
            description={texts.testHint}
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
            {texts.test}
          </Button>
        </div>
        <Refusal error={test.error} />
        <div role="status">{known === undefined ? null : <Verdicts verdicts={known} />}</div>
      </form>
    </Card>
  );
}

function Verdicts({ verdicts }: { readonly verdicts: AddressTestView }) {
  if (!verdicts.restricted) return <Chip tone="done" label={texts.unrestricted} />;
  const shown = ({ entry }: AddressTestView['deposits']) =>
    entry === null ? (
      <Chip tone="failed" label={texts.notLetIn} />
    ) : (
      <Chip tone="done" label={texts.letIn(entry)} />
    );
  return (
    <Facts
      facts={[
        [texts.deposits, shown(verdicts.deposits)],
        [texts.withdrawals, shown(verdicts.withdrawals)],
      ]}
    />
  );
}

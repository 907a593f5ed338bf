import { Button, TextInput } from '@mantine/core';
import { type AddressTestView, TEST_ADDRESS } from '@munshi/api';
import { Card, Chip, callOrThrow, Facts, Refusal, useService } from '@munshi/web-ui';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import classes from './merchant.module.css';
import type { Merchant } from './page.tsx';
import { texts } from './texts.ts';

/** Whether an address would be let in, and by which entry: the service says it. */
export function AddressTest({
  merchantId,
  ipWhitelist,
}: Pick<Merchant, 'merchantId' | 'ipWhitelist'>) {
  const { api } = useService();
  const [address, setAddress] = useState('');
  const asked = JSON.stringify({ address: address.trim(), ipWhitelist });
  const test = useMutation({
    mutationFn: async () => {
      const body = JSON.parse(asked) as { address: string; ipWhitelist: Merchant['ipWhitelist'] };
      const { data } = await callOrThrow(api, TEST_ADDRESS, { params: { merchantId }, body });
      return { ...data, asked };
    },
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

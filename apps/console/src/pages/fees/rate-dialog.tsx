import { Select, TextInput } from '@mantine/core';
import {
  FOREIGN_CURRENCIES,
  type ForeignCurrency,
  LIST_EXCHANGE_RATES,
  SET_EXCHANGE_RATE,
} from '@munshi/api';
import { Effect, EffectDialog, Effects, useList } from '@munshi/web-ui';
import { useState } from 'react';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';

const RATE = /^\d{1,12}(\.\d{1,8})?$/;

export function RateDialog({ onClose }: { onClose(): void }) {
  const [currency, setCurrency] = useState<ForeignCurrency>(FOREIGN_CURRENCIES[0]);
  const [rate, setRate] = useState('');
  const { rows = [] } = useList(LIST_EXCHANGE_RATES, {});
  const before = rows.find((known) => known.currency === currency)?.rate ?? 'none';
  const [ifItWaits, set] = useMayWait(SET_EXCHANGE_RATE);
  const request = { body: { currency, rate: rate.trim() } };
  return (
    <EffectDialog
      title="Set an exchange rate"
      button="Set the rate from now on"
      ready={RATE.test(rate.trim())}
      onClose={onClose}
      onSend={async () => sayIfItWaits(await set(request))}
    >
      <Select
        label="Currency"
        data={[...FOREIGN_CURRENCIES]}
        value={currency}
        allowDeselect={false}
        onChange={(value) => setCurrency(value as ForeignCurrency)}
      />
      <TextInput
        label="PKR per unit"
        inputMode="decimal"
        value={rate}
        onChange={({ currentTarget }) => setRate(currentTarget.value)}
      />
      {RATE.test(rate.trim()) ? (
        <>
          <Effects label="What changes">
            <Effect what={`PKR for 1 ${currency}`} before={before} after={rate.trim()} />
          </Effects>
          {ifItWaits(request)}
        </>
      ) : null}
    </EffectDialog>
  );
}

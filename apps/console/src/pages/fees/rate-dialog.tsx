import { Select, TextInput } from '@mantine/core';
import {
  FOREIGN_CURRENCIES,
  type ForeignCurrency,
  LIST_EXCHANGE_RATES,
  SET_EXCHANGE_RATE,
} from '@munshi/api';
import { Effect, EffectDialog, Effects, useList, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { sayIfItWaits } from '../../say-if-it-waits.ts';
import { texts } from './texts.ts';

const RATE = /^\d{1,12}(\.\d{1,8})?$/;

export function RateDialog({ onClose }: { onClose(): void }) {
  const [currency, setCurrency] = useState<ForeignCurrency>(FOREIGN_CURRENCIES[0]);
  const [rate, setRate] = useState('');
  const { rows = [] } = useList(LIST_EXCHANGE_RATES, {});
  const before = rows.find((known) => known.currency === currency)?.rate ?? texts.rateNone;
  const set = useWrite(SET_EXCHANGE_RATE);
  return (
    <EffectDialog
      title={texts.rateTitle}
      button={texts.rateButton}
      ready={RATE.test(rate.trim())}
      onClose={onClose}
      onSend={async () => sayIfItWaits(await set.send({ body: { currency, rate: rate.trim() } }))}
    >
      <Select
        label={texts.currency}
        data={[...FOREIGN_CURRENCIES]}
        value={currency}
        allowDeselect={false}
        onChange={(value) => setCurrency(value as ForeignCurrency)}
      />
      <TextInput
        label={texts.rate}
        inputMode="decimal"
        value={rate}
        onChange={({ currentTarget }) => setRate(currentTarget.value)}
      />
      {RATE.test(rate.trim()) ? (
        <Effects label={texts.rateChange}>
          <Effect what={texts.rateOf(currency)} before={before} after={rate.trim()} />
        </Effects>
      ) : null}
    </EffectDialog>
  );
}

import { Select, TextInput } from '@mantine/core';
import { CURRENCIES, ORDER_TYPES, type OrderView, QUOTE_FEE, WALLET_TYPES } from '@munshi/api';
import { readAmount } from '@munshi/web';
import { Card, Facts, Money, Refusal, useRead } from '@munshi/web-ui';
import { useState } from 'react';
import { useMethodName } from '../../method-names.ts';
import { MerchantPick } from '../../picks.tsx';
import classes from './fees.module.css';
import { bandText, feeText } from './rule-text.ts';

/** What an order would cost, by the service's own rule. */
export function QuoteCard({ merchantId: first }: { readonly merchantId: string | undefined }) {
  const [merchantId, setMerchantId] = useState(first);
  const [orderType, setOrderType] = useState<OrderView['orderType']>('Deposit');
  const [walletType, setWalletType] = useState<OrderView['walletType']>('ProviderA');
  const [currency, setCurrency] = useState<OrderView['currency']>('PKR');
  const [typed, setTyped] = useState('');
  const nameOf = useMethodName();
  const amount = readAmount(typed);
  const query = {
    merchantId: merchantId ?? '',
    orderType,
    walletType,
    amount: amount ?? '',
    currency,
  };
  const enabled = merchantId !== undefined && amount !== undefined;
  const { data, error } = useRead(QUOTE_FEE, { query }, { enabled });
  const quoted = data?.data;
  return (
    <Card title="What would this order cost?">
      <div className={classes['form']}>
        <MerchantPick label="Merchant" value={merchantId} onChange={setMerchantId} />
        <Select
          label="Type"
          data={[...ORDER_TYPES]}
          value={orderType}
          allowDeselect={false}
          onChange={(value) => setOrderType(value as OrderView['orderType'])}
        />
        <Select
          label="Method"
          data={WALLET_TYPES.map((value) => ({ value, label: nameOf(value) }))}
          value={walletType}
          allowDeselect={false}
          onChange={(value) => setWalletType(value as OrderView['walletType'])}
        />
        <TextInput
          label="Amount"
          inputMode="decimal"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Select
          label="Currency"
          data={[...CURRENCIES]}
          value={currency}
          allowDeselect={false}
          onChange={(value) => setCurrency(value as OrderView['currency'])}
        />
      </div>
      <Refusal error={error} />
      <div role="status">
        {quoted === undefined ? (
          <p className="quiet">Choose a merchant, a method and an amount.</p>
        ) : quoted.rule === null || quoted.fee === null ? (
          <p>No rule applies to this order: it costs nothing.</p>
        ) : (
          <Facts
            facts={[
              ['Fee', <Money key="fee" large amount={quoted.fee} currency={currency} />],
              [
                'By the rule',
                `${quoted.rule.merchantId === null ? 'Platform' : 'Merchant'} · ${nameOf(quoted.rule.walletType)} · ${feeText(quoted.rule)}, ${bandText(quoted.rule)}`,
              ],
              [
                'The wallet moves by',
                quoted.settlementAmount === null ? (
                  'The currency has no exchange rate.'
                ) : (
                  <Money key="wallet" amount={quoted.settlementAmount} currency="PKR" />
                ),
              ],
            ]}
          />
        )}
      </div>
    </Card>
  );
}

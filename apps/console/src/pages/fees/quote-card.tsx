import { Select, TextInput } from '@mantine/core';
import { CURRENCIES, ORDER_TYPES, type OrderView, QUOTE_FEE, WALLET_TYPES } from '@munshi/api';
import { readAmount } from '@munshi/web';
import { Card, Facts, Money, Refusal, useRead } from '@munshi/web-ui';
import { useState } from 'react';
import { useMethodName } from '../../method-names.tsx';
import { MerchantPick } from '../../picks.tsx';
import classes from './fees.module.css';
import { bandText, feeText } from './rule-text.ts';
import { texts } from './texts.ts';

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
    <Card title={texts.quote}>
      <div className={classes['form']}>
        <MerchantPick label={texts.merchant} value={merchantId} onChange={setMerchantId} />
        <Select
          label={texts.type}
          data={ORDER_TYPES.map((value) => ({ value, label: texts.types[value] }))}
          value={orderType}
          allowDeselect={false}
          onChange={(value) => setOrderType(value as OrderView['orderType'])}
        />
        <Select
          label={texts.method}
          data={WALLET_TYPES.map((value) => ({ value, label: nameOf(value) }))}
          value={walletType}
          allowDeselect={false}
          onChange={(value) => setWalletType(value as OrderView['walletType'])}
        />
        <TextInput
          label={texts.amount}
          inputMode="decimal"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Select
          label={texts.currency}
          data={[...CURRENCIES]}
          value={currency}
          allowDeselect={false}
          onChange={(value) => setCurrency(value as OrderView['currency'])}
        />
      </div>
      <Refusal error={error} />
      <div role="status">
        {quoted === undefined ? (
          <p className="quiet">{texts.choose}</p>
        ) : quoted.rule === null || quoted.fee === null ? (
          <p>{texts.noRule}</p>
        ) : (
          <Facts
            facts={[
              [texts.fee, <Money key="fee" large amount={quoted.fee} currency={currency} />],
              [
                texts.byRule,
                `${quoted.rule.merchantId === null ? texts.platform : texts.own} · ${nameOf(quoted.rule.walletType)} · ${feeText(quoted.rule)}, ${bandText(quoted.rule)}`,
              ],
              [
                texts.wallet,
                quoted.settlementAmount === null ? (
                  texts.noRate
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

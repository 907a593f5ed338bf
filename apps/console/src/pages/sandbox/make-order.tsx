import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import {
  CREATE_SANDBOX_ORDER,
  type CreateSandboxOrder,
  LIST_MERCHANTS,
  ORDER_TYPES,
  READ_MERCHANT,
} from '@munshi/api';
import { amountText, readAmount } from '@munshi/web';
import { Refusal, useRead, useWrite } from '@munshi/web-ui';
import { type FormEvent, useState } from 'react';
import { useMethodName } from '../../method-names.tsx';
import { MerchantPick } from '../../picks.tsx';
import classes from './sandbox.module.css';

const button = (kind: string, amount: string) =>
  `Make the ${kind}${amount === '' ? '' : ` of ${amount}`}`;

type Type = CreateSandboxOrder['orderType'];
type Method = CreateSandboxOrder['walletType'];
type Currency = NonNullable<CreateSandboxOrder['currency']>;

/** Whose order, of which kind and how much: what a merchant's server would send. */
export function MakeOrder({
  isNext,
  onMade,
}: {
  /** Nothing else is to be done first: its button is the primary one. */
  readonly isNext: boolean;
  onMade(orderId: string): void;
}) {
  const [chosen, setMerchantId] = useState<string>();
  const [orderType, setOrderType] = useState<Type>('Deposit');
  const [typed, setTyped] = useState('2500');
  const [account, setAccount] = useState({ number: '', name: '' });
  const { merchantId, methods, currencies } = useTerms(chosen, orderType);
  const [method, setMethod] = useOneOf<Method>(methods);
  const [currency, setCurrency] = useOneOf<Currency>(currencies);
  const { send, sending, error } = useWrite(CREATE_SANDBOX_ORDER);
  const nameOf = useMethodName();
  const amount = readAmount(typed);
  const ready = merchantId !== undefined && method !== undefined && amount !== undefined;

  const make = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    const { number, name } = account;
    const given = orderType === 'Withdrawal' && number !== '';
    const made = await send({
      body: {
        merchantId,
        orderType,
        walletType: method,
        amount,
        ...(currency !== undefined && { currency }),
        ...(given && { customerAccountNumber: number }),
        ...(given && name !== '' && { customerAccountName: name }),
      },
    }).catch(() => undefined);
    if (made !== undefined) onMade(made.data.orderId);
  };
  return (
    <form className={classes['form']} onSubmit={(event) => void make(event)}>
      <MerchantPick label="Merchant" required value={merchantId} onChange={setMerchantId} />
      <SegmentedControl
        aria-label="Type"
        value={orderType}
        onChange={(value) => setOrderType(value as Type)}
        data={[...ORDER_TYPES]}
      />
      <Select
        label="Method"
        data={methods.map((value) => ({ value, label: nameOf(value) }))}
        value={method ?? null}
        allowDeselect={false}
        error={
          merchantId !== undefined && method === undefined
            ? 'Every method of this kind is off for the merchant.'
            : null
        }
        onChange={(value) => setMethod(value as Method)}
      />
      <div className={classes['amount']}>
        <TextInput
          label="Amount"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          error={
            amount === undefined ? 'An amount has at most 4 decimals: 2500 or 2,500.50.' : null
          }
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Select
          label="Currency"
          data={[...currencies]}
          value={currency ?? null}
          allowDeselect={false}
          onChange={(value) => setCurrency(value as Currency)}
        />
      </div>
      {orderType === 'Withdrawal' ? (
        <>
          <TextInput
            label="Customer’s account"
            description="Leave both empty, and the customer gives them."
            autoComplete="off"
            value={account.number}
            onChange={({ currentTarget: { value } }) => setAccount({ ...account, number: value })}
          />
          <TextInput
            label="Account holder"
            autoComplete="off"
            value={account.name}
            onChange={({ currentTarget: { value } }) => setAccount({ ...account, name: value })}
          />
        </>
      ) : null}
      <Refusal error={error} />
      <Button
        type="submit"
        variant={isNext ? 'filled' : 'default'}
        loading={sending}
        disabled={!ready}
      >
        {button(
          orderType.toLowerCase(),
          amount === undefined ? '' : amountText(amount, currency ?? ''),
        )}
      </Button>
    </form>
  );
}

/** What the merchant may take; of the first active one while none is chosen. */
function useTerms(chosen: string | undefined, orderType: Type) {
  const first = useRead(
    LIST_MERCHANTS,
    { query: { limit: 20 } },
    { enabled: chosen === undefined },
  ).data?.data.find(({ status }) => status === 'active');
  const merchantId = chosen ?? first?.merchantId;
  const { data } = useRead(
    READ_MERCHANT,
    { params: { merchantId: merchantId ?? '' } },
    { enabled: merchantId !== undefined },
  );
  const merchant = data?.data;
  const methods: readonly Method[] =
    (orderType === 'Deposit' ? merchant?.depositMethods : merchant?.withdrawalMethods) ?? [];
  return { merchantId, methods, currencies: merchant?.currencies ?? [] };
}

/** One of these that somebody chose; the first while their choice is not among them. */
function useOneOf<Value>(choices: readonly Value[]) {
  const [chosen, choose] = useState<Value>();
  const value = chosen !== undefined && choices.includes(chosen) ? chosen : choices[0];
  return [value, choose] as const;
}

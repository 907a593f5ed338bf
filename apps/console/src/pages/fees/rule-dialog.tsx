import { Select, TextInput } from '@mantine/core';
import { CREATE_FEE_RULE, ORDER_TYPES, type OrderView, WALLET_TYPES } from '@munshi/api';
import { plainDigits, readAmount } from '@munshi/web';
import { EffectDialog, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { IfItWaits } from '../../effects/if-it-waits.tsx';
import { useMethodName } from '../../method-names.tsx';
import { MerchantPick } from '../../picks.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import { Bands } from './bands.tsx';
import classes from './fees.module.css';

const AMOUNTS = {
  percent: 'Percent',
  fixed: 'Fixed',
  minimum: 'At least',
  maximum: 'At most',
  from: 'From amount',
  to: 'Below amount',
};
type Amount = keyof typeof AMOUNTS;
const NAMES = Object.keys(AMOUNTS) as Amount[];
type Typed = Readonly<Partial<Record<Amount, string>>>;

/** With up to eight decimals, which amounts do not have. */
const PERCENT = /^(0|[1-9]\d{0,11})(\.\d{1,8})?$/;

/** A rule from now on; what it replaces or overlaps is marked before it is sent. */
export function RuleDialog({
  merchantId: first,
  onClose,
}: {
  readonly merchantId: string | undefined;
  onClose(): void;
}) {
  const [merchantId, setMerchantId] = useState(first);
  const [orderType, setOrderType] = useState<OrderView['orderType']>('Deposit');
  const [walletType, setWalletType] = useState<OrderView['walletType']>('ProviderA');
  const [typed, setTyped] = useState<Typed>({});
  const nameOf = useMethodName();
  const create = useWrite(CREATE_FEE_RULE);
  const read = (name: Amount) => {
    const text = plainDigits(typed[name]?.trim() ?? '');
    if (text === '') return undefined;
    return name === 'percent' ? PERCENT.exec(text)?.[0] : readAmount(text);
  };
  const isReadable = NAMES.every((name) => !typed[name] || read(name) !== undefined);
  const band = { fromAmount: read('from') ?? null, toAmount: read('to') ?? null };
  const body = {
    orderType,
    walletType,
    percent: read('percent'),
    fixed: read('fixed'),
    minimum: read('minimum'),
    maximum: read('maximum'),
    fromAmount: read('from'),
    toAmount: read('to'),
    merchantId,
  };
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  return (
    <EffectDialog
      title="New fee rule"
      button="Set the rule from now on"
      ready={isReadable}
      onClose={onClose}
      onSend={async () => sayIfItWaits(await create.send({ body: given as never }))}
    >
      <p>
        It applies to orders from now on; accepted ones keep their fee. Without a merchant it is a
        rule of the platform.
      </p>
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
        {NAMES.map((name) => (
          <TextInput
            key={name}
            label={AMOUNTS[name]}
            inputMode="decimal"
            value={typed[name] ?? ''}
            error={typed[name] && read(name) === undefined ? 'A number such as 1500.50.' : null}
            onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
          />
        ))}
      </div>
      <Bands slot={{ merchantId, orderType, walletType }} band={band} />
      <IfItWaits
        endpoint={CREATE_FEE_RULE}
        request={isReadable && typed.percent ? { body: given as never } : null}
      />
    </EffectDialog>
  );
}

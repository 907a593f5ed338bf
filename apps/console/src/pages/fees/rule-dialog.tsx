import { Select, TextInput } from '@mantine/core';
import { CREATE_FEE_RULE, LIST_FEE_RULES, type OrderView } from '@munshi/api';
import { compareMoney, readAmount } from '@munshi/web';
import { EffectDialog, useList, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { MerchantPick } from '../../picks.tsx';
import classes from './fees.module.css';
import { METHODS, TYPES } from './kinds.ts';
import { bandText, type Rule } from './rule-text.ts';
import { texts } from './texts.ts';

const AMOUNTS = ['percent', 'fixed', 'minimum', 'maximum', 'from', 'to'] as const;
type Typed = Readonly<Partial<Record<(typeof AMOUNTS)[number], string>>>;

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
  const create = useWrite(CREATE_FEE_RULE);
  const read = (name: (typeof AMOUNTS)[number]) => {
    const text = typed[name]?.trim() ?? '';
    if (text === '') return undefined;
    return name === 'percent' ? PERCENT.exec(text)?.[0] : readAmount(text);
  };
  const isReadable = AMOUNTS.every((name) => !typed[name] || read(name) !== undefined);
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
      title={texts.newTitle}
      deed={texts.newDeed}
      ready={isReadable}
      onClose={onClose}
      onSend={() => create.send({ body: given as never })}
    >
      <p>{texts.lead}</p>
      <div className={classes['form']}>
        <MerchantPick label={texts.merchant} value={merchantId} onChange={setMerchantId} />
        <Select
          label={texts.type}
          data={TYPES.map((value) => ({ value, label: texts.types[value] }))}
          value={orderType}
          allowDeselect={false}
          onChange={(value) => setOrderType(value as OrderView['orderType'])}
        />
        <Select
          label={texts.method}
          data={[...METHODS]}
          value={walletType}
          allowDeselect={false}
          onChange={(value) => setWalletType(value as OrderView['walletType'])}
        />
        {AMOUNTS.map((name) => (
          <TextInput
            key={name}
            label={texts[name]}
            inputMode="decimal"
            value={typed[name] ?? ''}
            onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
          />
        ))}
      </div>
      <Bands slot={{ merchantId, orderType, walletType }} band={band} />
    </EffectDialog>
  );
}

type Band = Pick<Rule, 'fromAmount' | 'toAmount'>;
interface Slot {
  readonly merchantId: string | undefined;
  readonly orderType: OrderView['orderType'];
  readonly walletType: OrderView['walletType'];
}

/** The bands of the same merchant, type and method on a line, with the new one among them. */
function Bands({ slot, band }: { readonly slot: Slot; readonly band: Band }) {
  const { merchantId, ...kind } = slot;
  const whose = merchantId === undefined ? { platform: true } : { merchantId };
  const { rows = [] } = useList(LIST_FEE_RULES, { query: { ...kind, ...whose, limit: 200 } });
  const marked = rows.map((rule) => ({ rule, mark: markOf(rule, band) }));
  const overlaps = marked.some(({ mark }) => mark === 'overlaps');
  const all = [
    { id: 'new', band, mark: 'newBand' as const },
    ...marked.map(({ rule, mark }) => ({ id: rule.feeRuleId, band: rule as Band, mark })),
  ].sort((a, b) => compareMoney(a.band.fromAmount ?? '0', b.band.fromAmount ?? '0'));
  return (
    <section aria-label={texts.bands}>
      <ol className={classes['bands']}>
        {all.map((one) => (
          <li key={one.id} data-mark={one.mark}>
            {bandText(one.band)}
            {one.mark === null ? null : <span>{texts[one.mark]}</span>}
          </li>
        ))}
      </ol>
      {overlaps ? <p role="alert">{texts.overlapHint}</p> : null}
    </section>
  );
}

/** The same band is replaced; any other that shares an amount overlaps, which is refused. */
function markOf(rule: Band, band: Band): 'replaced' | 'overlaps' | null {
  const same = (a: string | null, b: string | null) =>
    a === null || b === null ? a === b : compareMoney(a, b) === 0;
  if (same(rule.fromAmount, band.fromAmount) && same(rule.toAmount, band.toAmount))
    return 'replaced';
  const startsBefore = (from: string | null, to: string | null) =>
    from === null || to === null || compareMoney(from, to) < 0;
  return startsBefore(rule.fromAmount, band.toAmount) &&
    startsBefore(band.fromAmount, rule.toAmount)
    ? 'overlaps'
    : null;
}

import { Checkbox, Select, TextInput } from '@mantine/core';
import { CREATE_FEE_RULE, LIST_FEE_RULES, ORDER_TYPES, type OrderView } from '@munshi/api';
import { isZero, plainDigits, readAmount } from '@munshi/web';
import { Effect, EffectDialog, Effects, errorText, useList } from '@munshi/web-ui';
import { useState } from 'react';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { useMethodName } from '../../method-names.ts';
import { MerchantPick } from '../../picks.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import { Bands, isSameBand, type Slot } from './bands.tsx';
import classes from './fees.module.css';
import { methodsOf } from './grid.tsx';
import { bandText, feeText, type Rule } from './rule-text.ts';

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
type Method = OrderView['walletType'];

const WRONG_AMOUNT = 'A number such as 1500.50.';
const WRONG: Readonly<Partial<Record<Amount, string>>> = { percent: 'A number such as 1.25.' };

/** With up to eight decimals, which amounts do not have. */
const PERCENT = /^(0|[1-9]\d{0,11})(\.\d{1,8})?$/;

/** What is changed: the slot, and the rules that price it, of which the first is the beginning. */
export interface RuleStart {
  readonly slot: Slot;
  readonly rules: readonly Rule[];
}

const typedOf = (rule: Rule | undefined): Typed =>
  rule === undefined
    ? {}
    : {
        percent: /^0(\.0*)?$/.test(rule.percent) ? '' : rule.percent,
        fixed: isZero(rule.fixed) ? '' : rule.fixed,
        minimum: rule.minimum ?? '',
        maximum: rule.maximum ?? '',
        from: rule.fromAmount ?? '',
        to: rule.toAmount ?? '',
      };

function read(typed: Typed, name: Amount): string | undefined {
  const text = plainDigits(typed[name]?.trim() ?? '');
  if (text === '') return undefined;
  return name === 'percent' ? PERCENT.exec(text.replace(/ ?%$/, ''))?.[0] : readAmount(text);
}

/**
 * A rule from now on, for one method or several; what it replaces or overlaps is marked before it is
 * sent. Each method is a write of its own: what was refused stays chosen.
 */
export function RuleDialog({ start, onClose }: { readonly start: RuleStart; onClose(): void }) {
  const [merchantId, setMerchantId] = useState(start.slot.merchantId);
  const [orderType, setOrderType] = useState(start.slot.orderType);
  const [methods, setMethods] = useState<readonly Method[]>([start.slot.walletType]);
  const [typed, setTyped] = useState<Typed>(typedOf(start.rules[0]));
  const [refused, setRefused] = useState<ReadonlyMap<Method, string>>(new Map());
  const nameOf = useMethodName();
  const [ifAnyWaits, create] = useMayWait(CREATE_FEE_RULE);
  const whose = merchantId === undefined ? { platform: true } : { merchantId };
  const { rows } = useList(LIST_FEE_RULES, { query: { orderType, ...whose, limit: 200 } });
  const amount = (name: Amount) => read(typed, name);
  const isReadable = NAMES.every((name) => !typed[name] || amount(name) !== undefined);
  const isTyped = Boolean(typed.percent || typed.fixed);
  const terms = {
    percent: amount('percent') ?? '0',
    fixed: amount('fixed') ?? '0',
    minimum: amount('minimum') ?? null,
    maximum: amount('maximum') ?? null,
    fromAmount: amount('from') ?? null,
    toAmount: amount('to') ?? null,
  };
  const chosen = methodsOf(orderType).filter((method) => methods.includes(method));
  const inForce = (method: Method) => rows?.filter(({ walletType }) => walletType === method) ?? [];
  const [first] = chosen;
  const bodyOf = (walletType: Method) => ({
    ...{ ...terms, orderType, walletType },
    ...(merchantId !== undefined && { merchantId }),
  });

  const send = async () => {
    const failures = new Map<Method, Error>();
    let last: Parameters<typeof sayIfItWaits>[0] | undefined;
    for (const walletType of chosen) {
      try {
        last = await create({ body: bodyOf(walletType) });
      } catch (error) {
        failures.set(walletType, error as Error);
      }
    }
    if (last !== undefined) sayIfItWaits(last);
    const [failure] = failures.values();
    if (failure === undefined) return;
    if (chosen.length > 1)
      setRefused(new Map([...failures].map(([method, error]) => [method, errorText(error)])));
    setMethods([...failures.keys()]);
    throw failure;
  };
  return (
    <EffectDialog
      title={start.rules.length === 0 ? 'New fee rule' : 'Change a fee'}
      button="Set the rule from now on"
      ready={isReadable && isTyped && chosen.length > 0}
      unready="Choose a method, and type a percentage or a fixed fee as numbers."
      onClose={onClose}
      onSend={send}
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
      </div>
      <fieldset className={classes['methods']}>
        <legend>Methods</legend>
        {methodsOf(orderType).map((method) => (
          <Checkbox
            key={method}
            label={nameOf(method)}
            checked={methods.includes(method)}
            onChange={({ currentTarget }) =>
              setMethods(
                currentTarget.checked
                  ? [...methods, method]
                  : methods.filter((one) => one !== method),
              )
            }
          />
        ))}
      </fieldset>
      <div className={classes['form']}>
        {NAMES.map((name) => (
          <TextInput
            key={name}
            label={AMOUNTS[name]}
            inputMode="decimal"
            value={typed[name] ?? ''}
            error={typed[name] && amount(name) === undefined ? (WRONG[name] ?? WRONG_AMOUNT) : null}
            onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
          />
        ))}
      </div>
      {isReadable && rows !== undefined ? (
        <Effects label={`What changes, ${bandText(terms)}`}>
          {chosen.map((method) => (
            <Effect
              key={method}
              what={nameOf(method)}
              before={beforeText(inForce(method).find((rule) => isSameBand(rule, terms)))}
              after={feeText(terms)}
            />
          ))}
        </Effects>
      ) : null}
      {first !== undefined && chosen.length === 1 && rows !== undefined ? (
        <Bands rules={inForce(first)} band={terms} onChoose={(rule) => setTyped(typedOf(rule))} />
      ) : null}
      {ifAnyWaits(isReadable && isTyped ? chosen.map((one) => ({ body: bodyOf(one) })) : [])}
      {refused.size === 0 ? null : (
        <ul role="alert" className={classes['known']}>
          {[...refused].map(([method, text]) => (
            <li key={method}>
              {nameOf(method)}: {text}
            </li>
          ))}
        </ul>
      )}
    </EffectDialog>
  );
}

const beforeText = (rule: Rule | undefined) => (rule === undefined ? 'no own rule' : feeText(rule));

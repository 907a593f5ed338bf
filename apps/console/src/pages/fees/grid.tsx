import { SegmentedControl } from '@mantine/core';
import {
  LIST_FEE_RULES,
  LIST_MERCHANTS,
  ORDER_TYPES,
  type OrderView,
  WALLET_TYPES,
  WITHDRAWAL_METHODS,
} from '@munshi/api';
import { feeRank } from '@munshi/web';
import { Card, useList } from '@munshi/web-ui';
import { useState } from 'react';
import { useMethodName } from '../../method-names.ts';
import type { Slot } from './bands.tsx';
import classes from './fees.module.css';
import { bandText, feeText, type Rule } from './rule-text.ts';

type OrderType = OrderView['orderType'];

export const methodsOf = (orderType: OrderType): readonly OrderView['walletType'][] =>
  orderType === 'Deposit' ? WALLET_TYPES : WITHDRAWAL_METHODS;

interface Row {
  /** Undefined: the platform. */
  readonly merchantId: string | undefined;
  readonly name: string;
}

const PLATFORM: Row = { merchantId: undefined, name: 'Platform' };
/** The narrowest lists that a service shows at once. */
const MERCHANTS_SHOWN = 50;
const RULES_SHOWN = 200;

interface GridProps {
  /** Of this merchant alone. */
  readonly merchantId: string | undefined;
  /** Where the reader may change a fee: called with the rules that price the slot. */
  readonly onChange: ((slot: Slot, rules: readonly Rule[]) => void) | undefined;
}

/** What each merchant pays by method: its own rules, or in grey those that it gets from elsewhere. */
export function FeeGrid({ merchantId, onChange }: GridProps) {
  const [orderType, setOrderType] = useState<OrderType>('Deposit');
  const nameOf = useMethodName();
  const merchants = useList(LIST_MERCHANTS, { query: { limit: MERCHANTS_SHOWN } });
  const query = {
    ...{ orderType, order: 'winning' as const, limit: RULES_SHOWN },
    ...(merchantId !== undefined && { appliesTo: merchantId }),
  };
  const { rows: rules } = useList(LIST_FEE_RULES, { query }, { watch: ['setting'] });
  const known = merchants.rows ?? [];
  const rows = [
    PLATFORM,
    ...known.filter((one) => merchantId === undefined || one.merchantId === merchantId),
  ];
  return (
    <Card
      title="By merchant and method"
      actions={
        <SegmentedControl
          aria-label="Orders of the grid"
          size="xs"
          value={orderType}
          onChange={(next) => setOrderType(next as OrderType)}
          data={[...ORDER_TYPES]}
        />
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too */}
      <section className={classes['scrolls']} aria-label="Fees by merchant and method" tabIndex={0}>
        <table className={classes['grid']}>
          <thead>
            <tr>
              <th scope="col">Merchant</th>
              {methodsOf(orderType).map((method) => (
                <th scope="col" key={method}>
                  {nameOf(method)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rules === undefined
              ? null
              : rows.map((row) => (
                  <tr key={row.merchantId ?? ''}>
                    <th scope="row">{row.name}</th>
                    {methodsOf(orderType).map((walletType) => (
                      <td key={walletType}>
                        <Cell
                          slot={{ merchantId: row.merchantId, orderType, walletType }}
                          label={`${row.name}, ${nameOf(walletType)}`}
                          rules={rules}
                          onChange={onChange}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </section>
      <p className={classes['gridNote']}>
        Grey: no rule of its own, so the platform’s or the method’s family’s applies.
        {known.length === MERCHANTS_SHOWN || rules?.length === RULES_SHOWN
          ? ' Not all are shown: choose a merchant.'
          : null}
      </p>
    </Card>
  );
}

/** The rules that price most of a slot's orders: those of the lowest rank. */
function rulesOf(slot: Slot, rules: readonly Rule[]) {
  const orders = { ...slot, merchantId: slot.merchantId ?? null };
  const ranked = rules.flatMap((rule) => {
    const rank = feeRank(rule, orders);
    return rank === undefined ? [] : [{ rule, rank }];
  });
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return ranked.filter(({ rank }) => rank === best).map(({ rule }) => rule);
}

function Cell({
  slot,
  label,
  rules,
  onChange,
}: {
  readonly slot: Slot;
  readonly label: string;
  readonly rules: readonly Rule[];
  readonly onChange: GridProps['onChange'];
}) {
  const shown = rulesOf(slot, rules);
  const isOwn = shown.every(
    ({ merchantId, walletType }) =>
      merchantId === (slot.merchantId ?? null) && walletType === slot.walletType,
  );
  const texts = shown.map((rule) =>
    rule.fromAmount === null && rule.toAmount === null
      ? feeText(rule)
      : `${bandText(rule)}: ${feeText(rule)}`,
  );
  const text = texts.length === 0 ? 'none' : texts.join('; ');
  const className = classes['cell'];
  const own = shown.length > 0 && isOwn;
  return onChange === undefined ? (
    <span className={className} data-own={own}>
      {text}
    </span>
  ) : (
    <button
      type="button"
      className={className}
      data-own={own}
      aria-label={`Change ${label}: ${text}`}
      onClick={() => onChange(slot, shown)}
    >
      {text}
    </button>
  );
}

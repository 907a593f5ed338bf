import { Button } from '@mantine/core';
import {
  END_FEE_RULE,
  type ExchangeRateView,
  LIST_EXCHANGE_RATES,
  LIST_FEE_RULES,
  LIST_RATE_HISTORY,
  ORDER_TYPES,
} from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  Card,
  ChoiceFilter,
  type Column,
  Cut,
  DataTable,
  EffectDialog,
  type FiltersOf,
  id,
  isAskedFor,
  oneOf,
  Page,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import { useState } from 'react';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { MethodCell, MethodName } from '../../method-names.ts';
import { MerchantPick, useMerchantName } from '../../picks.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import { may, useSession } from '../../session.tsx';
import { type Slot, slotOf } from './bands.tsx';
import classes from './fees.module.css';
import { FeeGrid } from './grid.tsx';
import { QuoteCard } from './quote-card.tsx';
import { RateChart } from './rate-chart.tsx';
import { RateDialog } from './rate-dialog.tsx';
import { RuleDialog, type RuleStart } from './rule-dialog.tsx';
import { bandText, feeText, type Rule } from './rule-text.ts';

const FILTERS = { merchantId: id(), orderType: oneOf(ORDER_TYPES) };

/** C12: which rule prices an order, and the exchange rates. */
export default function FeesPage() {
  const { operator } = useSession();
  const { values, set } = useFilters(FILTERS);
  const newSlot: Slot = {
    merchantId: values.merchantId,
    orderType: 'Deposit',
    walletType: 'ProviderA',
  };
  const [open, setOpen] = useState<RuleStart | 'rate' | null>(() =>
    isAskedFor('rule') ? { slot: newSlot, rules: [] } : null,
  );
  const close = () => setOpen(null);
  const mayChange = may(operator, 'write');
  const change = mayChange
    ? (slot: Slot, rules: readonly Rule[]) => setOpen({ slot, rules })
    : undefined;
  return (
    <Page
      title="Fees and rates"
      actions={
        mayChange ? (
          <>
            <Button variant="default" onClick={() => setOpen('rate')}>
              New rate…
            </Button>
            <Button onClick={() => setOpen({ slot: newSlot, rules: [] })}>New rule…</Button>
          </>
        ) : null
      }
    >
      <FeeGrid merchantId={values.merchantId} onChange={change} />
      <div className={classes['columns']}>
        <div>
          <div className={classes['head']}>
            <h2>Rules, by precedence</h2>
            <div className={classes['filters']}>
              <MerchantPick
                bare
                label="Rules for a merchant"
                value={values.merchantId}
                onChange={(merchantId) => set({ merchantId })}
              />
              <ChoiceFilter
                label="Type"
                choices={ORDER_TYPES.map((value) => ({ value, label: value }))}
                value={values.orderType}
                onChange={(orderType) => set({ orderType })}
              />
            </div>
          </div>
          <Rules {...values} onChange={change} />
        </div>
        <div>
          <QuoteCard merchantId={values.merchantId} />
          <Rates />
        </div>
      </div>
      {open === null ? null : open === 'rate' ? (
        <RateDialog onClose={close} />
      ) : (
        <RuleDialog start={open} onClose={close} />
      )}
    </Page>
  );
}

interface RulesProps extends FiltersOf<typeof FILTERS> {
  readonly onChange: ((slot: Slot, rules: readonly Rule[]) => void) | undefined;
}

function Rules({ merchantId, orderType, onChange }: RulesProps) {
  const query = {
    order: 'winning' as const,
    ...(merchantId !== undefined && { appliesTo: merchantId }),
    ...(orderType !== undefined && { orderType }),
  };
  const list = useList(LIST_FEE_RULES, { query }, { watch: ['setting'] });
  const [ending, setEnding] = useState<Rule | null>(null);
  const [ifItWaits, end] = useMayWait(END_FEE_RULE);
  return (
    <>
      <DataTable
        label="Rules, by precedence"
        list={list}
        rowId={({ feeRuleId }) => feeRuleId}
        rowLabel={(rule) => feeText(rule)}
        empty={
          <p>
            {orderType === undefined
              ? 'There are no rules yet: orders cost nothing.'
              : 'No rule matches these filters.'}
          </p>
        }
        columns={[
          ...RULE_COLUMNS,
          {
            id: 'end',
            header: 'Action',
            align: 'end',
            cell: (rule) =>
              rule.allowedActions.includes('end') ? (
                <span className={classes['acts']}>
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => onChange?.(slotOf(rule), [rule])}
                  >
                    Change
                  </Button>
                  <Button size="compact-xs" variant="default" onClick={() => setEnding(rule)}>
                    End
                  </Button>
                </span>
              ) : null,
          },
        ]}
      />
      {ending === null ? null : (
        <EffectDialog
          danger
          title="End this rule"
          button="End the rule now"
          onClose={() => setEnding(null)}
          onSend={async () => sayIfItWaits(await end({ params: { feeRuleId: ending.feeRuleId } }))}
        >
          <p>
            <strong>
              {ending.orderType} · <MethodName method={ending.walletType} /> · {feeText(ending)}
            </strong>
          </p>
          <p>It no longer applies to new orders. Accepted orders keep their fee.</p>
          {ifItWaits({ params: { feeRuleId: ending.feeRuleId } })}
        </EffectDialog>
      )}
    </>
  );
}

const RULE_COLUMNS: readonly Column<Rule>[] = [
  { id: 'fee', header: 'Fee', cell: (rule) => <strong>{feeText(rule)}</strong> },
  { id: 'type', header: 'Type', cell: ({ orderType }) => orderType },
  {
    id: 'method',
    header: 'Method',
    cell: ({ walletType }) => <MethodCell method={walletType} />,
  },
  { id: 'band', header: 'Amounts', cell: bandText },
  {
    id: 'whose',
    header: 'Whose',
    cell: ({ merchantId }) => <Whose merchantId={merchantId} />,
  },
  { id: 'since', header: 'Since', cell: ({ validFrom }) => <When at={validFrom} /> },
];

function Whose({ merchantId }: { readonly merchantId: string | null }) {
  const name = useMerchantName(merchantId ?? undefined);
  return merchantId === null ? <span className="quiet">Platform</span> : <Cut>{name ?? '…'}</Cut>;
}

function Rates() {
  const inForce = useList(LIST_EXCHANGE_RATES, {}, { watch: ['setting'] });
  const history = useList(LIST_RATE_HISTORY, {}, { watch: ['setting'] });
  const table = (label: string, list: typeof inForce) => (
    <DataTable
      label={label}
      list={list}
      rowId={({ currency, validFrom }) => `${currency} ${validFrom}`}
      rowLabel={({ currency }) => currency}
      empty={<p>No rate has been set. Orders in INR and BDT need one.</p>}
      columns={RATE_COLUMNS}
    />
  );
  return (
    <Card title="Exchange rates">
      {table('In force', inForce)}
      <RateChart currency="INR" />
      <RateChart currency="BDT" />
      <details className={classes['history']}>
        <summary>History</summary>
        {table('History', history)}
      </details>
    </Card>
  );
}

const RATE_COLUMNS: readonly Column<AsText<ExchangeRateView>>[] = [
  { id: 'currency', header: 'Currency', cell: ({ currency }) => currency },
  { id: 'rate', header: 'PKR per unit', align: 'end', cell: ({ rate }) => rate },
  { id: 'age', header: 'Set', cell: ({ validFrom }) => <When at={validFrom} /> },
];

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
  DataTable,
  EffectDialog,
  type FiltersOf,
  oneOf,
  Page,
  text,
  useFilters,
  useList,
  useWrite,
  When,
} from '@munshi/web-ui';
import { useState } from 'react';
import { MethodName } from '../../method-names.tsx';
import { MerchantPick, useMerchantName } from '../../picks.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.ts';
import { may, useSession } from '../../session.tsx';
import classes from './fees.module.css';
import { QuoteCard } from './quote-card.tsx';
import { RateChart } from './rate-chart.tsx';
import { RateDialog } from './rate-dialog.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { bandText, feeText, type Rule } from './rule-text.ts';
import { texts } from './texts.ts';

const FILTERS = { merchantId: text(), orderType: oneOf(ORDER_TYPES) };

/** C12: which rule prices an order, and the exchange rates. */
export default function FeesPage() {
  const { operator } = useSession();
  const { values, set } = useFilters(FILTERS);
  const [open, setOpen] = useState<'rule' | 'rate' | null>(null);
  const close = () => setOpen(null);
  const mayChange = may(operator, 'write');
  return (
    <Page
      title={texts.title}
      actions={
        mayChange ? (
          <>
            <Button variant="default" onClick={() => setOpen('rate')}>
              {texts.newRate}
            </Button>
            <Button onClick={() => setOpen('rule')}>{texts.newRule}</Button>
          </>
        ) : null
      }
    >
      <div className={classes['columns']}>
        <div>
          <div className={classes['head']}>
            <h2>{texts.rules}</h2>
            <div className={classes['filters']}>
              <MerchantPick
                bare
                label={texts.rulesOf}
                value={values.merchantId}
                onChange={(merchantId) => set({ merchantId })}
              />
              <ChoiceFilter
                label={texts.type}
                choices={ORDER_TYPES.map((value) => ({ value, label: texts.types[value] }))}
                value={values.orderType}
                onChange={(orderType) => set({ orderType })}
              />
            </div>
          </div>
          <Rules {...values} />
        </div>
        <div>
          <QuoteCard merchantId={values.merchantId} />
          <Rates />
        </div>
      </div>
      {open === 'rule' ? <RuleDialog merchantId={values.merchantId} onClose={close} /> : null}
      {open === 'rate' ? <RateDialog onClose={close} /> : null}
    </Page>
  );
}

function Rules({ merchantId, orderType }: FiltersOf<typeof FILTERS>) {
  const query = {
    order: 'winning' as const,
    ...(merchantId !== undefined && { appliesTo: merchantId }),
    ...(orderType !== undefined && { orderType }),
  };
  const list = useList(LIST_FEE_RULES, { query }, { watch: ['setting'] });
  const [ending, setEnding] = useState<Rule | null>(null);
  const end = useWrite(END_FEE_RULE);
  return (
    <>
      <DataTable
        label={texts.rules}
        list={list}
        rowId={({ feeRuleId }) => feeRuleId}
        rowLabel={(rule) => feeText(rule)}
        empty={<p>{orderType === undefined ? texts.none : texts.noneFound}</p>}
        columns={[
          ...RULE_COLUMNS,
          {
            id: 'end',
            header: texts.action,
            align: 'end',
            cell: (rule) =>
              rule.allowedActions.includes('end') ? (
                <Button size="compact-xs" variant="default" onClick={() => setEnding(rule)}>
                  {texts.end}
                </Button>
              ) : null,
          },
        ]}
      />
      {ending === null ? null : (
        <EffectDialog
          danger
          title={texts.endTitle}
          button={texts.endButton}
          onClose={() => setEnding(null)}
          onSend={async () =>
            sayIfItWaits(await end.send({ params: { feeRuleId: ending.feeRuleId } }))
          }
        >
          <p>
            <strong>
              {texts.types[ending.orderType]} · <MethodName method={ending.walletType} /> ·{' '}
              {feeText(ending)}
            </strong>
          </p>
          <p>{texts.endLead}</p>
        </EffectDialog>
      )}
    </>
  );
}

const RULE_COLUMNS: readonly Column<Rule>[] = [
  { id: 'fee', header: texts.terms, cell: (rule) => <strong>{feeText(rule)}</strong> },
  { id: 'type', header: texts.type, cell: ({ orderType }) => texts.types[orderType] },
  {
    id: 'method',
    header: texts.method,
    cell: ({ walletType }) => <MethodName method={walletType} />,
  },
  { id: 'band', header: texts.band, cell: bandText },
  { id: 'whose', header: texts.whose, cell: ({ merchantId }) => <Whose merchantId={merchantId} /> },
  { id: 'since', header: texts.since, cell: ({ validFrom }) => <When at={validFrom} /> },
];

function Whose({ merchantId }: { readonly merchantId: string | null }) {
  const name = useMerchantName(merchantId ?? undefined);
  return merchantId === null ? <span className="quiet">{texts.platform}</span> : (name ?? '…');
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
      empty={<p>{texts.noRates}</p>}
      columns={RATE_COLUMNS}
    />
  );
  return (
    <Card title={texts.rates}>
      {table(texts.inForce, inForce)}
      <RateChart currency="INR" />
      <RateChart currency="BDT" />
      <details className={classes['history']}>
        <summary>{texts.history}</summary>
        {table(texts.history, history)}
      </details>
    </Card>
  );
}

const RATE_COLUMNS: readonly Column<AsText<ExchangeRateView>>[] = [
  { id: 'currency', header: texts.currency, cell: ({ currency }) => currency },
  { id: 'rate', header: texts.rate, align: 'end', cell: ({ rate }) => rate },
  { id: 'age', header: texts.age, cell: ({ validFrom }) => <When at={validFrom} /> },
];

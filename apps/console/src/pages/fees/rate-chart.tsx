import { type ExchangeRateView, type ForeignCurrency, LIST_RATE_HISTORY } from '@munshi/api';
import { type AsText, shownTime } from '@munshi/web';
import { useRead, useService } from '@munshi/web-ui';
import { Chart } from '../../chart/chart.tsx';
import classes from './fees.module.css';

type Rate = AsText<ExchangeRateView>;
/** What is drawn; the table below has all of it. */
const DRAWN = 200;

/** How the rate of a currency has gone; nothing where it was set once. */
export function RateChart({ currency }: { readonly currency: ForeignCurrency }) {
  const query = { currency, limit: DRAWN };
  const rates = useRead(LIST_RATE_HISTORY, { query }, { watch: ['setting'] }).data?.data;
  const now = useService().clock.now();
  if (rates === undefined || rates.length < 2) return null;
  const [latest] = rates as readonly [Rate, ...Rate[]];
  const steps = rates.toReversed();
  return (
    <figure className={classes['chart']}>
      <figcaption>PKR for 1 {currency}</figcaption>
      <Chart
        summary={`PKR for 1 ${currency}: set ${steps.length} times, from ${steps[0]?.rate ?? ''} to ${latest.rate}`}
        times={[...steps.map(({ validFrom }) => Date.parse(validFrom)), now]}
        series={[
          {
            label: currency,
            colour: '--accent',
            shape: 'steps',
            // Where the line goes, and no more: the texts are the exact ones.
            values: [...steps, latest].map(({ rate }) => Number(rate)),
          },
        ]}
        height={120}
        timeText={(at) => shownTime(at, now).text}
        valueText={(rate) => String(rate)}
      />
    </figure>
  );
}

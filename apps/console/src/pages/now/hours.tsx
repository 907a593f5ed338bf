import { clockText, durationText } from '@munshi/web';
import { MethodName } from '../../method-names.tsx';
import classes from './now.module.css';
import { type Method, successText } from './overview.ts';
import { atEnd, Table } from './table.tsx';
import { texts } from './texts.ts';

/** What the bars show, and success and median, in numbers. */
export function Hours({ methods }: { readonly methods: readonly Method[] }) {
  if (methods.length === 0) return null;
  return (
    <details className={classes['details']}>
      <summary>{texts.byHour}</summary>
      <Table
        label={texts.hoursTable}
        headers={[
          [texts.method],
          [texts.hour],
          ...[texts.orders, texts.completed, texts.success, texts.median].map(atEnd),
        ]}
      >
        {methods.flatMap(({ walletType, hours }) =>
          hours
            .filter(({ created }) => created > 0)
            .map((hour) => (
              <tr key={`${walletType} ${hour.from}`}>
                <td>
                  <MethodName method={walletType} />
                </td>
                <td className="number">{clockText(Date.parse(hour.from))}</td>
                <td data-align="end">{hour.created}</td>
                <td data-align="end">{hour.completed}</td>
                <td data-align="end">{successText(hour)}</td>
                <td data-align="end">
                  {hour.medianConfirmSeconds === null
                    ? texts.none
                    : durationText(hour.medianConfirmSeconds * 1000)}
                </td>
              </tr>
            )),
        )}
      </Table>
    </details>
  );
}

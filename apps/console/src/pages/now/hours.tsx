import { clockText, durationText } from '@munshi/web';
import { MethodName } from '../../method-names.ts';
import { successText } from '../../success.ts';
import classes from './now.module.css';
import type { Method } from './overview.ts';
import { atEnd, Table } from './table.tsx';

/** What the bars show, and success and median, in numbers. */
export function Hours({ methods }: { readonly methods: readonly Method[] }) {
  if (methods.length === 0) return null;
  return (
    <details className={classes['details']}>
      <summary>The last 12 hours as a table</summary>
      <Table
        label="Hours of each method"
        headers={[
          ['Method'],
          ['Hour'],
          ...['Orders', 'Completed', 'Success', 'Median to confirm'].map(atEnd),
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
                    ? 'none'
                    : durationText(hour.medianConfirmSeconds * 1000)}
                </td>
              </tr>
            )),
        )}
      </Table>
    </details>
  );
}

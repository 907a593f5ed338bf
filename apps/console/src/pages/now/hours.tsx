import { clockText, durationText } from '@munshi/web';
import { MethodName } from '../../method-names.tsx';
import classes from './now.module.css';
import { type Method, successText } from './page.tsx';
import { texts } from './texts.ts';

/** What the bars show, and success and median, in numbers. */
export function Hours({ methods }: { readonly methods: readonly Method[] }) {
  if (methods.length === 0) return null;
  return (
    <details className={classes['details']}>
      <summary>{texts.byHour}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard */}
      <section className={classes['scroll']} tabIndex={0} aria-label={texts.hoursTable}>
        <table className={classes['table']}>
          <thead>
            <tr>
              {[texts.method, texts.hour].map((header) => (
                <th key={header} scope="col">
                  {header}
                </th>
              ))}
              {[texts.orders, texts.completed, texts.success, texts.median].map((header) => (
                <th key={header} scope="col" data-align="end">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
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
          </tbody>
        </table>
      </section>
    </details>
  );
}

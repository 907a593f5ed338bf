import type { StatementView } from '@munshi/api';
import { type AsText, isMonth } from '@munshi/web';
import type { ReactNode } from 'react';
import { ApiError } from '../api.tsx';
import { CsvLink } from '../csv-link.tsx';
import { Card } from '../page.tsx';
import { PaperPage, PrintButton } from '../paper.tsx';
import { Empty, Loaded } from '../states.tsx';
import { monthName, StatementSheet } from './statement.tsx';

/** The screen of a month's statement; on paper the sheet alone is left. */
export function StatementPage({
  month,
  read,
  csvPath,
  summaryPath,
  all,
  choice,
}: {
  readonly month: string;
  readonly read: {
    readonly data: { readonly data: AsText<StatementView> } | undefined;
    readonly error: Error | null;
    refetch(): unknown;
  };
  /** The file of every movement. */
  readonly csvPath: string;
  /** The file of the sums. */
  readonly summaryPath: string;
  /** Leads to the other statements. */
  readonly all: ReactNode;
  /** Of another month. */
  readonly choice?: ReactNode;
}) {
  const isNone =
    !isMonth(month) || (read.error instanceof ApiError && read.error.refusal.code === 'not-found');
  return (
    <PaperPage
      title={isNone ? 'No statement of this month' : `Statement of ${monthName(month)}`}
      lead={all}
      actions={
        <>
          {choice}
          {isNone ? null : (
            <>
              <CsvLink
                path={summaryPath}
                label="Summary, CSV: save the sums of this month"
                text="Summary, CSV"
              />
              <CsvLink
                path={csvPath}
                label="Movements, CSV: save every movement of this month"
                text="Movements, CSV"
              />
              <PrintButton />
            </>
          )}
        </>
      }
    >
      {isNone ? (
        <Card>
          <Empty>
            Statements begin with the merchant’s first month and go to the present one. Choose
            another month.
          </Empty>
        </Card>
      ) : (
        <Loaded read={read} rows={12}>
          {({ data }) => <StatementSheet statement={data} />}
        </Loaded>
      )}
    </PaperPage>
  );
}

import { Button, Checkbox } from '@mantine/core';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { Link } from 'wouter';
import type { List } from './api.tsx';
import { Cut } from './cut.tsx';
import classes from './data-table.module.css';
import { useKeys } from './keyboard.tsx';
import { Aligned } from './money.tsx';
import { MoreButton } from './more-button.tsx';
import { type Compare, type Head, useSorted } from './sorted.ts';
import { Empty, Failed, Skeleton } from './states.tsx';
import { useFlash } from './use-flash.ts';
import { useHeldBack } from './use-held-back.ts';

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** A text is cut where there is no room; anything else has its own width. */
  cell(row: Row): ReactNode;
  /** `end` for amounts and counts. */
  readonly align?: 'end';
  /** Its head then sorts. */
  readonly compare?: Compare<Row>;
  /** Where there is little room, rows that open have this fact, or have not; else the first four. */
  readonly isChief?: boolean;
  /** What all rows that are there come to, in a row below them. */
  total?(rows: readonly Row[]): ReactNode;
}

export interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Columns that are not shown, by id. */
  readonly hidden?: ReadonlySet<string>;
  readonly list: List<Row>;
  rowId(row: Row): string;
  /** Names a row: `ORD-2026…`. */
  rowLabel(row: Row): string;
  /** Where a row leads; the first column is the link. */
  href?(row: Row): string;
  /** In place of `href`: what opening does on this page. */
  onOpen?(row: Row): void;
  /** The row that is open on this page. */
  readonly openId?: string | undefined;
  /** Rows that somebody has opened before are quieter. */
  readonly visited?: { has(id: string): boolean; note(id: string): void };
  /** Shown where there is nothing: why, and what to do. */
  readonly empty: ReactNode;
  readonly selected?: ReadonlySet<string>;
  /** Rows that cannot be selected have their box off; all can, where it is left out. */
  maySelect?(row: Row): boolean;
  onSelect?(selected: ReadonlySet<string>): void;
}

/**
 * A list with a cursor: rows of 36 pixels, `j` `k` move, `Enter` opens, `x` selects. New rows wait
 * behind a button, so that nothing moves under the pointer. Where it is narrow, rows are cards.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, list, rowId, empty, selected, onSelect } = props;
  const columns = props.columns.filter(({ id }) => !props.hidden?.has(id));
  const body = useRef<HTMLTableSectionElement>(null);
  const held = useHeldBack(list, rowId);
  const sorted = useSorted(columns, held.rows, !list.hasMore && held.fresh === 0);
  useRowKeys(body, onSelect !== undefined);

  if (list.rows === undefined)
    return list.error === null ? (
      <Skeleton rows={8} />
    ) : (
      <Failed error={list.error} onRetry={list.again} />
    );
  if (held.rows.length === 0 && held.fresh === 0) return <Empty>{empty}</Empty>;
  const maySelect = props.maySelect ?? (() => true);
  const all = held.rows.filter(maySelect).map(rowId);
  const select = (id: string) =>
    onSelect?.(
      new Set([...(selected ?? []), id].filter((each) => each !== id || !selected?.has(id))),
    );
  return (
    <div className={classes['frame']}>
      {held.fresh > 0 ? (
        <Button fullWidth variant="light" radius={0} size="compact-sm" onClick={held.show}>
          {held.fresh} new
        </Button>
      ) : null}
      <Aligned value>
        <table
          className={classes['table']}
          aria-label={label}
          data-opening={props.href !== undefined || props.onOpen !== undefined}
        >
          <thead>
            <tr>
              {onSelect === undefined ? null : (
                <th className={classes['check']}>
                  <Checkbox
                    size="xs"
                    aria-label="Select all shown"
                    disabled={all.length === 0}
                    checked={all.length > 0 && all.every((id) => selected?.has(id))}
                    onChange={({ currentTarget }) =>
                      onSelect(new Set(currentTarget.checked ? all : []))
                    }
                  />
                </th>
              )}
              {columns.map((column, at) => (
                <HeadCell
                  key={column.id}
                  {...column}
                  head={sorted.head(column)}
                  isChief={at === 0 || isChief(column, at - 1)}
                />
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {sorted.rows.map((row) => (
              <TableRow
                key={rowId(row)}
                {...props}
                row={row}
                columns={columns}
                isSelected={selected?.has(rowId(row)) ?? false}
                toggle={onSelect === undefined ? undefined : () => select(rowId(row))}
              />
            ))}
          </tbody>
          <Totals {...props} columns={columns} rows={held.rows} />
        </table>
      </Aligned>
      <MoreButton list={list} radius={0} />
    </div>
  );
}

function HeadCell({
  header,
  align,
  head,
  isChief: chief,
}: {
  readonly header: string;
  readonly align?: 'end';
  readonly head: Head | undefined;
  readonly isChief: boolean;
}) {
  return (
    <th scope="col" data-align={align} data-chief={chief} aria-sort={head?.direction}>
      {head === undefined ? (
        header
      ) : (
        <button type="button" className={classes['head']} onClick={head.press}>
          {header}
        </button>
      )}
    </th>
  );
}

interface RowProps<Row> extends DataTableProps<Row> {
  readonly row: Row;
  readonly isSelected: boolean;
  readonly toggle: (() => void) | undefined;
}

function TableRow<Row>(props: RowProps<Row>) {
  const { row, columns, isSelected, toggle, rowId, rowLabel, href, onOpen, openId } = props;
  const open = (event: MouseEvent<HTMLTableRowElement>) => {
    const pressed = event.target as Element;
    if (pressed.closest('a, button, input, label') || getSelection()?.toString()) return;
    event.currentTarget.querySelector<HTMLElement>('[data-opens]')?.click();
  };
  const [first, ...others] = columns;
  const main = first === undefined ? null : shownIn(first, row);
  const shown = useFlash<HTMLTableRowElement>(row);
  return (
    <tr
      ref={shown}
      onClick={open}
      data-selected={isSelected}
      data-open={openId === rowId(row)}
      data-visited={props.visited?.has(rowId(row))}
    >
      {toggle === undefined ? null : (
        <td className={classes['check']}>
          <Checkbox
            size="xs"
            data-selects
            aria-label={`Select ${rowLabel(row)}`}
            disabled={props.maySelect?.(row) === false}
            checked={isSelected}
            onChange={toggle}
          />
        </td>
      )}
      {first === undefined ? null : (
        <td data-align={first.align} data-label={first.header} data-main>
          {href !== undefined ? (
            <Link
              href={href(row)}
              data-opens
              className={classes['main']}
              onClick={() => props.visited?.note(rowId(row))}
            >
              {main}
            </Link>
          ) : onOpen !== undefined ? (
            <button
              type="button"
              data-opens
              className={classes['main']}
              aria-current={openId === rowId(row)}
              onClick={() => onOpen(row)}
            >
              {main}
            </button>
          ) : (
            main
          )}
        </td>
      )}
      {others.map((column, at) => (
        <td
          key={column.id}
          data-align={column.align}
          data-label={column.header}
          data-chief={isChief(column, at)}
        >
          {shownIn(column, row)}
        </td>
      ))}
    </tr>
  );
}

/** The first three of those after the column that names the row, unless a column says. */
const isChief = <Row,>({ isChief: said }: Column<Row>, at: number) => said ?? at < 3;

function shownIn<Row>({ cell }: Column<Row>, row: Row): ReactNode {
  const content = cell(row);
  return typeof content === 'string' ? <Cut>{content}</Cut> : content;
}

function Totals<Row>({
  columns,
  rows,
  onSelect,
}: Pick<DataTableProps<Row>, 'columns' | 'onSelect'> & { readonly rows: readonly Row[] }) {
  if (columns.every(({ total }) => total === undefined)) return null;
  return (
    <tfoot>
      <tr>
        {onSelect === undefined ? null : <td className={classes['check']} />}
        {columns.map((column, at) => (
          <td
            key={column.id}
            data-align={column.align}
            data-label={column.header}
            {...(at === 0 ? { 'data-main': true } : { 'data-chief': isChief(column, at - 1) })}
          >
            {column.total?.(rows)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

/** `j` `k` move the focus from row to row; `x` presses the checkbox of the row in focus. */
function useRowKeys(body: { readonly current: HTMLElement | null }, selects: boolean): void {
  const rows = () => [...(body.current?.querySelectorAll<HTMLElement>('[data-opens]') ?? [])];
  const move = (by: 1 | -1) => {
    const all = rows();
    const row = document.activeElement?.closest('tr');
    const at = all.findIndex((each) => each.closest('tr') === row);
    const next = at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by));
    all[next]?.focus();
    all[next]?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  };
  useKeys([
    { keys: 'j', label: 'Next row', run: () => move(1) },
    { keys: 'k', label: 'Previous row', run: () => move(-1) },
    ...(selects
      ? [
          {
            keys: 'x',
            label: 'Select the row',
            run: () =>
              document.activeElement
                ?.closest('tr')
                ?.querySelector<HTMLElement>('[data-selects]')
                ?.click(),
          },
        ]
      : []),
  ]);
}

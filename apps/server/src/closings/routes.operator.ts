import {
  BEGIN_CLOSING,
  type ClosingMemberView,
  type ClosingMerchantView,
  type ClosingView,
  COUNT_CLOSING,
  DISCARD_CLOSING,
  EXPORT_CLOSING,
  type Given,
  LIST_CLOSING_MEMBERS,
  LIST_CLOSING_MERCHANTS,
  LIST_CLOSINGS,
  type Page as PageQuery,
  PREVIEW_CLOSING,
  READ_CLOSING,
  SIGN_CLOSING,
} from '@munshi/api';
import {
  closingActions,
  dayAt,
  formatDay,
  type Money,
  oneZone,
  presentZone,
  timeZoneOf,
  WALLET_CURRENCY,
} from '@munshi/core';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind, bindCsv } from '../platform/http/bind.ts';
import { amountCell, type Csv, type CsvColumns } from '../platform/http/csv.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { moneyOrZero, readBody, readTime } from '../platform/http/values.ts';
import { doWrite } from '../writes/write.ts';
import {
  beginClosing,
  countFloat,
  discardClosing,
  type Figures,
  isUncounted,
  previewClosing,
  type ReadClosing,
  readClosing,
  signClosing,
} from './service.ts';
import { type ClosingMember, type ClosingMerchant, listClosings } from './store.ts';

const ZONES = oneZone(timeZoneOf([WALLET_CURRENCY]));

/** Days and shifts that are closed (operate/close-a-day.md). */
export function closingRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, LIST_CLOSINGS, async ({ query }) => {
    const page = pageOf(query);
    const rows = await listClosings(deps.database.pool, page.place);
    return pageAnswer(page, rows, ({ closingId }) => closingId, inZone);
  });

  bind(face, PREVIEW_CLOSING, async ({ query }) => {
    const next = await previewClosing(deps, readTime('to', query.to, ZONES));
    const { from, to, dayEnds } = next;
    return { data: inZone({ from, to, dayEnds, sums: sumsOf(next) }) };
  });

  bind(face, READ_CLOSING, async ({ params }, operator) => ({
    data: showClosing(operator, await readClosing(deps, params.closingId, operator)),
  }));
  bind(face, LIST_CLOSING_MERCHANTS, async ({ params, query }, operator) => {
    const { merchants } = await readClosing(deps, params.closingId, operator);
    return pageIn(query, merchants, ({ merchantId }) => merchantId, showMerchant);
  });
  bind(face, LIST_CLOSING_MEMBERS, async ({ params, query }, operator) => {
    const { members } = await readClosing(deps, params.closingId, operator);
    return pageIn(query, members, ({ memberId }) => memberId, showMember);
  });
  bindCsv(face, EXPORT_CLOSING, async ({ params }, operator) =>
    closingFile(await readClosing(deps, params.closingId, operator)),
  );

  bind(face, BEGIN_CLOSING, async ({ body }, caller) => {
    const to = readTime('$.to', body.to, ZONES);
    return { data: await doWrite(deps, caller, beginClosing(deps, callerOf(caller), to), inZone) };
  });
  bind(face, COUNT_CLOSING, async (request, caller) => {
    const { note = null, ...given } = readBody(request, { counted: moneyOrZero });
    const counted = { ...request.params, ...given, note };
    return { data: await doWrite(deps, caller, countFloat(callerOf(caller), counted), showMember) };
  });
  bind(face, SIGN_CLOSING, async ({ params, body }, caller) => {
    const countedAt = readTime('$.countedAt', body.countedAt ?? undefined, ZONES) ?? null;
    const signature = { ...params, countedAt, note: body.note ?? null };
    return { data: await doWrite(deps, caller, signClosing(callerOf(caller), signature), inZone) };
  });
  bind(face, DISCARD_CLOSING, async ({ params, body }, caller) => ({
    data: await doWrite(
      deps,
      caller,
      discardClosing(callerOf(caller), { ...params, ...body }),
      inZone,
    ),
  }));
}

const inZone = <View>(view: View) => ({ ...view, timeZone: presentZone(ZONES) });
const callerOf = ({ id, name, capabilities }: Operator) => ({ id, name, capabilities });

function pageIn<Row, View>(
  query: PageQuery,
  all: readonly Row[],
  keyOf: (row: Row) => string,
  show: (row: Row) => View,
) {
  const page = pageOf(query);
  const { after, limit } = page.place;
  const first = after === null ? 0 : all.findIndex((row) => keyOf(row) === after) + 1;
  return pageAnswer(page, all.slice(first, first + limit), keyOf, show);
}

function showClosing(
  operator: Operator,
  { closing, origins, ...figures }: ReadClosing,
): Given<ClosingView> {
  const sums = sumsOf(figures);
  const { uncounted } = sums.members;
  const actions = closingActions(closing, { origins, uncounted }, operator);
  return inZone({ ...closing, sums, allowedActions: [...actions] });
}

const sum = (amounts: readonly Money[]): Money => amounts.reduce((all, one) => all + one, 0n);
const differenceOf = ({ counted, closing }: ClosingMember) =>
  counted === null ? null : counted - closing;

function sumsOf({ merchants, members }: Figures) {
  const ofMerchants = (of: (row: ClosingMerchant) => Money) => sum(merchants.map(of));
  const ofMembers = (of: (row: ClosingMember) => Money) => sum(members.map(of));
  return {
    merchants: {
      count: merchants.length,
      opening: ofMerchants((row) => row.opening),
      deposits: ofMerchants((row) => row.deposits),
      withdrawals: ofMerchants((row) => row.withdrawals),
      fees: ofMerchants((row) => row.fees),
      adjustments: ofMerchants((row) => row.adjustments),
      frozen: ofMerchants((row) => row.frozen),
      closing: ofMerchants((row) => row.closing),
      frozenClosing: ofMerchants((row) => row.frozenClosing),
    },
    members: {
      count: members.length,
      opening: ofMembers((row) => row.opening),
      deposits: ofMembers((row) => row.deposits),
      withdrawals: ofMembers((row) => row.withdrawals),
      adjustments: ofMembers((row) => row.adjustments),
      closing: ofMembers((row) => row.closing),
      uncounted: members.filter(isUncounted).length,
      counted: ofMembers((row) => row.counted ?? 0n),
      difference: ofMembers((row) => differenceOf(row) ?? 0n),
    },
  };
}

const showMerchant = ({ name, ...row }: ClosingMerchant): Given<ClosingMerchantView> => ({
  ...row,
  merchantName: name,
});
const showMember = ({ name, ...row }: ClosingMember): Given<ClosingMemberView> => ({
  ...row,
  memberName: name,
  difference: differenceOf({ name, ...row }),
});

type FileRow =
  | { readonly kind: 'merchant'; readonly row: ClosingMerchant }
  | { readonly kind: 'member'; readonly row: ClosingMember };

const merchantCell = (of: (row: ClosingMerchant) => Money) => (line: FileRow) =>
  line.kind === 'merchant' ? amountCell(of(line.row)) : null;
const memberCell = (of: (row: ClosingMember) => Money | null) => (line: FileRow) =>
  line.kind === 'member' ? amountCell(of(line.row)) : null;

const FILE_COLUMNS: CsvColumns<FileRow> = {
  kind: ({ kind }) => kind,
  id: (line) => (line.kind === 'merchant' ? line.row.merchantId : line.row.memberId),
  name: ({ row }) => row.name,
  opening: ({ row }) => amountCell(row.opening),
  deposits: ({ row }) => amountCell(row.deposits),
  withdrawals: ({ row }) => amountCell(row.withdrawals),
  // As signed, so that a row adds up.
  fees: merchantCell(({ fees }) => -fees),
  adjustments: ({ row }) => amountCell(row.adjustments),
  frozen: merchantCell(({ frozen }) => -frozen),
  closing: ({ row }) => amountCell(row.closing),
  frozenClosing: merchantCell(({ frozenClosing }) => frozenClosing),
  counted: memberCell(({ counted }) => counted),
  difference: memberCell(differenceOf),
  note: (line) => (line.kind === 'member' ? line.row.note : null),
};

function closingFile({ closing, merchants, members }: ReadClosing): Csv<FileRow> {
  return {
    name: `closing-${formatDay(dayAt(closing.to - 1, ZONES))}`,
    columns: FILE_COLUMNS,
    pages: (async function* () {
      yield merchants.map((row) => ({ kind: 'merchant' as const, row }));
      yield members.map((row) => ({ kind: 'member' as const, row }));
    })(),
  };
}

import {
  ACCOUNT_STATUSES,
  ACTIVE_OR_SUSPENDED,
  LIST_MEMBERS,
  type ListedMember,
} from '@munshi/api';
import { type AsText, durationText, subtractMoney } from '@munshi/web';
import {
  Chip,
  ChoiceFilter,
  type Column,
  DataTable,
  FilterBar,
  Money,
  oneOf,
  Page,
  SearchFilter,
  text,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import { may, useSession } from '../../session.tsx';
import { AddMember } from './add-member.tsx';
import { MemberStatus } from './member-status.tsx';
import { texts } from './texts.ts';

const PRESENCES = ['true', 'false'] as const;
const FILTERS = {
  search: text(),
  status: oneOf(ACTIVE_OR_SUSPENDED),
  online: oneOf(PRESENCES),
  accountStatus: oneOf(ACCOUNT_STATUSES),
};

const COLUMNS: readonly Column<AsText<ListedMember>>[] = [
  { id: 'name', header: texts.name, cell: ({ name }) => name },
  {
    id: 'status',
    header: texts.status,
    cell: ({ status, online }) => <MemberStatus status={status} online={online} />,
  },
  {
    id: 'inHand',
    header: texts.inHand,
    align: 'end',
    cell: ({ openOrders, maxOpenOrders }) => (
      <span className="number">
        {openOrders} / {maxOpenOrders}
      </span>
    ),
  },
  {
    id: 'free',
    header: texts.free,
    align: 'end',
    cell: ({ floatBalance, floatHeld }) => (
      <Money amount={subtractMoney(floatBalance, floatHeld)} />
    ),
  },
  {
    id: 'accounts',
    header: texts.accounts,
    align: 'end',
    cell: ({ accounts }) => {
      const count = (status: string) => accounts.filter((one) => one.status === status).length;
      return (
        <>
          {count('pending') > 0 ? (
            <Chip tone="needed" label={texts.waiting(count('pending'))} />
          ) : null}{' '}
          <span className="number">{count('approved')}</span>
        </>
      );
    },
  },
  {
    id: 'completed',
    header: texts.completed,
    align: 'end',
    cell: ({ completedLastDay }) => <span className="number">{texts.upTo(completedLastDay)}</span>,
  },
  {
    id: 'median',
    header: texts.median,
    align: 'end',
    cell: ({ record: { medianConfirmSeconds } }) =>
      medianConfirmSeconds === null ? (
        <span className="quiet">{texts.nothing}</span>
      ) : (
        <span className="number">{durationText(medianConfirmSeconds * 1000)}</span>
      ),
  },
  {
    id: 'rejects',
    header: texts.rejects,
    align: 'end',
    cell: ({ record: { ended, rejected } }) =>
      ended === 0 ? (
        <span className="quiet">{texts.nothing}</span>
      ) : (
        <span className="number">{texts.rejectsOf(rejected, ended)}</span>
      ),
  },
  {
    id: 'alert',
    header: texts.lastAlert,
    cell: ({ lastAlertSeenAt, alertsMissed }) => (
      <>
        {lastAlertSeenAt === null ? (
          <span className="quiet">{texts.never}</span>
        ) : (
          <When at={lastAlertSeenAt} />
        )}{' '}
        {alertsMissed > 0 ? <Chip tone="needed" label={texts.missed(alertsMissed)} /> : null}
      </>
    ),
  },
];

/** C11, the list. */
export default function MembersPage() {
  const { operator } = useSession();
  const { values, set, clear, count } = useFilters(FILTERS);
  const { online, ...others } = values;
  const query = { ...others, ...(online !== undefined && { online: online === 'true' }) };
  const list = useList(LIST_MEMBERS, { query }, { watch: ['member'] });
  return (
    <Page title={texts.title} actions={may(operator, 'write') ? <AddMember /> : undefined}>
      <FilterBar count={count} onClear={clear}>
        <SearchFilter
          label={texts.search}
          value={values.search}
          onChange={(search) => set({ search })}
        />
        <ChoiceFilter
          label={texts.status}
          choices={ACTIVE_OR_SUSPENDED.map((value) => ({ value, label: texts.statuses[value] }))}
          value={values.status}
          onChange={(status) => set({ status })}
        />
        <ChoiceFilter
          label={texts.presence}
          choices={PRESENCES.map((value) => ({
            value,
            label: value === 'true' ? texts.online : texts.offline,
          }))}
          value={online}
          onChange={(next) => set({ online: next })}
        />
        <ChoiceFilter
          label={texts.accountStatus}
          choices={ACCOUNT_STATUSES.map((value) => ({
            value,
            label: texts.accountStatuses[value],
          }))}
          value={values.accountStatus}
          onChange={(accountStatus) => set({ accountStatus })}
        />
      </FilterBar>
      <DataTable
        label={texts.title}
        list={list}
        rowId={({ memberId }) => memberId}
        rowLabel={({ name }) => name}
        href={({ memberId }) =>
          `/members/${memberId}${values.accountStatus === 'pending' ? '/accounts' : ''}`
        }
        empty={<p>{count > 0 ? texts.noneFound : texts.none}</p>}
        columns={COLUMNS}
      />
    </Page>
  );
}

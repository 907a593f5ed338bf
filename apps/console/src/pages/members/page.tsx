import {
  ACCOUNT_STATUSES,
  ACTIVE_OR_SUSPENDED,
  LIST_MEMBERS,
  type ListedMember,
} from '@munshi/api';
import { type AsText, durationText, subtractMoney } from '@munshi/web';
import {
  byMoney,
  byNumber,
  byText,
  byTime,
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

const STATUSES = { active: 'Active', suspended: 'Suspended' };

const ACCOUNT_NAMES = {
  pending: 'Waiting for approval',
  approved: 'Approved',
  suspended: 'Suspended',
};

const PRESENCES = ['true', 'false'] as const;
const FILTERS = {
  search: text(),
  status: oneOf(ACTIVE_OR_SUSPENDED),
  online: oneOf(PRESENCES),
  accountStatus: oneOf(ACCOUNT_STATUSES),
};

type Row = AsText<ListedMember>;

const freeOf = ({ floatBalance, floatHeld }: Row) => subtractMoney(floatBalance, floatHeld);

const COLUMNS: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, compare: byText(({ name }) => name) },
  {
    id: 'status',
    header: 'Status',
    compare: byText(({ status, online }) => `${status} ${online ? 1 : 2}`),
    cell: (member) => <MemberStatus {...member} />,
  },
  {
    id: 'inHand',
    header: 'In hand',
    align: 'end',
    compare: byNumber(({ openOrders }) => openOrders),
    cell: ({ openOrders, maxOpenOrders }) => (
      <span className="number">
        {openOrders} / {maxOpenOrders}
      </span>
    ),
  },
  {
    id: 'free',
    header: 'Float free, PKR',
    align: 'end',
    compare: byMoney(freeOf),
    cell: (member) => <Money amount={freeOf(member)} />,
  },
  {
    id: 'accounts',
    header: 'Accounts approved',
    align: 'end',
    cell: ({ accounts }) => {
      const count = (status: string) => accounts.filter((one) => one.status === status).length;
      return (
        <>
          {count('pending') > 0 ? (
            <Chip tone="needed" label={`${count('pending')} to approve`} />
          ) : null}{' '}
          <span className="number">{count('approved')}</span>
        </>
      );
    },
  },
  {
    id: 'completed',
    header: 'Completed in 24 h',
    align: 'end',
    compare: byNumber(({ completedLastDay }) => completedLastDay),
    cell: ({ completedLastDay }) => (
      <span className="number">{completedLastDay >= 200 ? '200+' : String(completedLastDay)}</span>
    ),
  },
  {
    id: 'median',
    header: 'Median to confirm',
    align: 'end',
    compare: byNumber(({ record }) => record.medianConfirmSeconds),
    cell: ({ record: { medianConfirmSeconds } }) =>
      medianConfirmSeconds === null ? (
        <span className="quiet">none</span>
      ) : (
        <span className="number">{durationText(medianConfirmSeconds * 1000)}</span>
      ),
  },
  {
    id: 'rejects',
    header: 'Rejects of last 200',
    align: 'end',
    compare: byNumber(({ record }) => record.rejected),
    cell: ({ record: { ended, rejected } }) =>
      ended === 0 ? (
        <span className="quiet">none</span>
      ) : (
        <span className="number">
          {rejected} of {ended}
        </span>
      ),
  },
  {
    id: 'alert',
    header: 'Last alert seen',
    compare: byTime(({ lastAlertSeenAt }) => lastAlertSeenAt),
    cell: ({ lastAlertSeenAt, alertsMissed }) => (
      <>
        {lastAlertSeenAt === null ? (
          <span className="quiet">never</span>
        ) : (
          <When at={lastAlertSeenAt} />
        )}{' '}
        {alertsMissed > 0 ? <Chip tone="needed" label={`${alertsMissed} missed since`} /> : null}
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
    <Page title="Members" actions={may(operator, 'write') ? <AddMember /> : undefined}>
      <FilterBar count={count} onClear={clear}>
        <SearchFilter
          label="Find a member by name, username or number"
          value={values.search}
          onChange={(search) => set({ search })}
        />
        <ChoiceFilter
          label="Status"
          choices={ACTIVE_OR_SUSPENDED.map((value) => ({ value, label: STATUSES[value] }))}
          value={values.status}
          onChange={(status) => set({ status })}
        />
        <ChoiceFilter
          label="Presence"
          choices={PRESENCES.map((value) => ({
            value,
            label: value === 'true' ? 'Online' : 'Offline',
          }))}
          value={online}
          onChange={(next) => set({ online: next })}
        />
        <ChoiceFilter
          label="Accounts"
          choices={ACCOUNT_STATUSES.map((value) => ({
            value,
            label: ACCOUNT_NAMES[value],
          }))}
          value={values.accountStatus}
          onChange={(accountStatus) => set({ accountStatus })}
        />
      </FilterBar>
      <DataTable
        label="Members"
        list={list}
        rowId={({ memberId }) => memberId}
        rowLabel={({ name }) => name}
        href={({ memberId }) =>
          `/members/${memberId}${values.accountStatus === 'pending' ? '/accounts' : ''}`
        }
        empty={
          <p>{count > 0 ? 'No member matches these filters.' : 'There are no members yet.'}</p>
        }
        columns={COLUMNS}
      />
    </Page>
  );
}

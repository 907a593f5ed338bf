import { LIST_MERCHANTS } from '@munshi/api';
import {
  Chip,
  ChoiceFilter,
  DataTable,
  FilterBar,
  oneOf,
  Page,
  SearchFilter,
  text,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import { texts } from './texts.ts';

const STATUSES = ['active', 'suspended', 'closed'] as const;
const FILTERS = { search: text(), status: oneOf(STATUSES) };
const TONES = { active: 'done', suspended: 'needed', closed: 'over' } as const;

/** C10, the list. */
export default function MerchantsPage() {
  const { values, set, clear, count } = useFilters(FILTERS);
  const list = useList(LIST_MERCHANTS, { query: values }, { watch: ['merchant'] });
  return (
    <Page title={texts.title}>
      <FilterBar count={count} onClear={clear}>
        <SearchFilter
          label={texts.search}
          value={values.search}
          onChange={(search) => set({ search })}
        />
        <ChoiceFilter
          label={texts.status}
          choices={STATUSES.map((value) => ({ value, label: texts.statuses[value] }))}
          value={values.status}
          onChange={(status) => set({ status })}
        />
      </FilterBar>
      <DataTable
        label={texts.title}
        list={list}
        rowId={({ merchantId }) => merchantId}
        rowLabel={({ name }) => name}
        href={({ merchantId }) => `/merchants/${merchantId}`}
        empty={<p>{count > 0 ? texts.noneFound : texts.none}</p>}
        columns={[
          { id: 'name', header: texts.name, cell: ({ name }) => name },
          {
            id: 'status',
            header: texts.status,
            cell: ({ status }) => <Chip tone={TONES[status]} label={texts.statuses[status]} />,
          },
          {
            id: 'created',
            header: texts.created,
            cell: ({ createdAt }) => <When at={createdAt} />,
          },
        ]}
      />
    </Page>
  );
}

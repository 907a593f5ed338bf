export const texts = {
  title: 'Merchants',
  search: 'Find a merchant by name',
  status: 'Status',
  statuses: { active: 'Active', suspended: 'Suspended', closed: 'Closed' },
  name: 'Name',
  created: 'Created',
  none: 'There is no merchant yet.',
  noneFound: 'No merchant fits these filters.',
} as const;

/** The words of the palette that are the console's own. */
export const texts = {
  hint: 'An order, a merchant, a member, a page or an action',
  actions: 'This order',
  orders: 'Orders',
  merchants: 'Merchants',
  members: 'Members',
  kinds: { order: 'Order', merchant: 'Merchant', member: 'Member' },
  orderOf: (amount: string, type: string) => `${amount} ${type}`,
  types: { Deposit: 'deposit', Withdrawal: 'withdrawal' },
  merchantStatus: { active: '', suspended: 'suspended', closed: 'closed' },
  memberStatus: { active: '', suspended: 'suspended' },
  online: 'online',
  offline: 'offline',
  allOrders: (typed: string) => `All orders with “${typed}”`,
  nothingHint: 'Try a reference, an account number, digits, an amount, or part of a name.',
  failed: (what: string, why: string) => `${what} could not be searched. ${why}`,
} as const;

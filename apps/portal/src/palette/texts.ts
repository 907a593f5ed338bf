/** The words of the palette that are the portal's own. */
export const texts = {
  hint: 'An order, a page or an action',
  nothingHint: 'Try a reference of yours or ours, a customer reference, or an amount.',
  actions: 'This order',
  order: 'Order',
  orders: 'Orders',
  orderOf: (amount: string, type: string) => `${amount} ${type}`,
  types: { Deposit: 'deposit', Withdrawal: 'withdrawal' },
  allOrders: (typed: string) => `All orders with “${typed}”`,
  failed: (why: string) => `Orders could not be searched. ${why}`,
} as const;

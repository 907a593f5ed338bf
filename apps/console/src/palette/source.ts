import type { PaletteSource } from '@munshi/web-ui';
import Receipt from 'lucide-react/icons/receipt';
import Search from 'lucide-react/icons/search';
import Store from 'lucide-react/icons/store';
import Users from 'lucide-react/icons/users';
import { useFound } from './use-found.tsx';

/** `Ctrl+K`: orders, merchants, members, pages and what the open order allows. */
export const PALETTE: PaletteSource = {
  hint: 'An order, a merchant, a member, a page or an action',
  nothingHint:
    'Merchants and members are found by part of a name or username, and by a telephone or account number or its last four digits.',
  actions: 'This order',
  kinds: {
    order: { label: 'Order', icon: Receipt },
    merchant: { label: 'Merchant', icon: Store },
    member: { label: 'Member', icon: Users },
  },
  useFound,
  everywhere: (typed) => ({
    id: 'all orders',
    icon: Search,
    label: `All orders with “${typed}”`,
    path: `/orders?search=${encodeURIComponent(typed)}`,
  }),
};

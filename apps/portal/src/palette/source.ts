import type { PaletteSource } from '@munshi/web-ui';
import Receipt from 'lucide-react/icons/receipt';
import Search from 'lucide-react/icons/search';
import { useFound } from './use-found.tsx';

/** `Ctrl+K`: orders, pages, and what the open order allows. */
export const PALETTE: PaletteSource = {
  hint: 'An order, a page or an action',
  nothingHint: 'Try another part of what you know.',
  actions: 'This order',
  kinds: { order: { label: 'Order', icon: Receipt } },
  useFound,
  everywhere: (typed) => ({
    id: 'all orders',
    icon: Search,
    label: `All orders with “${typed}”`,
    path: `/orders?search=${encodeURIComponent(typed)}`,
  }),
};

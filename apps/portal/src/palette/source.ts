import type { PaletteSource } from '@munshi/web-ui';
import Receipt from 'lucide-react/icons/receipt';
import Search from 'lucide-react/icons/search';
import { texts } from './texts.ts';
import { useFound } from './use-found.tsx';

/** `Ctrl+K`: orders, pages, and what the open order allows. */
export const PALETTE: PaletteSource = {
  hint: texts.hint,
  nothingHint: texts.nothingHint,
  actions: texts.actions,
  kinds: { order: { label: texts.order, icon: Receipt } },
  useFound,
  everywhere: (typed) => ({
    id: 'all orders',
    icon: Search,
    label: texts.allOrders(typed),
    path: `/orders?search=${encodeURIComponent(typed)}`,
  }),
};

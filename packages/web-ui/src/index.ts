/** Components of the console and the portal. */
export {
  ApiError,
  callOrThrow,
  keyOf,
  type List,
  type ReadOptions,
  type Service,
  useList,
  useRead,
  useService,
  useWrite,
  type Write,
} from './api.tsx';
export { WebApp } from './app.tsx';
export { Copy } from './copy.tsx';
export { type Column, DataTable } from './data-table.tsx';
export { DayFilter } from './day-filter.tsx';
export { Effect, EffectDialog, Effects, Warnings } from './effect-dialog.tsx';
export { ChoiceFilter, ChoicesFilter, FilterBar, SearchFilter } from './filters.tsx';
export { type KeyBinding, useKeyList, useKeys } from './keyboard.tsx';
export { LiveBar, LiveProvider, useLiveEvents } from './live.tsx';
export { AddressesForm } from './merchant/addresses-form.tsx';
export { PaymentPageForm } from './merchant/payment-page-form.tsx';
export { SaveBar } from './merchant/save-bar.tsx';
export { type Save, useSave } from './merchant/use-save.ts';
export { Money } from './money.tsx';
export { useNow } from './now.ts';
export { OrderStatus, statusLabel } from './order-status.tsx';
export { Card, Facts, Head, Page } from './page.tsx';
export { PageTabs } from './page-tabs.tsx';
export { useReturnFocus } from './return-focus.ts';
export { OpenCard, Split } from './split.tsx';
export { Empty, errorText, Failed, fieldError, Loaded, Refusal, Skeleton } from './states.tsx';
export { Chip, type Tone } from './status-chip.tsx';
export { Timeline, type TimelineEntry } from './timeline.tsx';
export { type Filters, type FiltersOf, oneOf, someOf, text, useFilters } from './use-filters.ts';
export { useFlash } from './use-flash.ts';
export { Age, Countdown, When } from './when.tsx';

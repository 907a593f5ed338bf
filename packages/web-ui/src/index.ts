/** Components of the console and the portal. */
export { ActionButton, KeyHint } from './action-button.tsx';
export {
  ApiError,
  callOrThrow,
  keyOf,
  type List,
  type ReadOptions,
  Said,
  type Service,
  useList,
  useRead,
  useService,
  useWrite,
  type Write,
} from './api.tsx';
export { WebApp } from './app.tsx';
export { isAskedFor } from './asked-for.ts';
export { browserOf } from './browser.ts';
export { Copy } from './copy.tsx';
export { CsvLink } from './csv-link.tsx';
export { Cut } from './cut.tsx';
export { type Column, DataTable } from './data-table.tsx';
export { DaysFilter } from './days-filter.tsx';
export {
  type DeliveryAttempt,
  DeliveryAttempts,
  DeliveryBody,
  SignatureCheck,
} from './deliveries/delivery-attempts.tsx';
export {
  DELIVERY_FILTERS,
  DeliveryFilterBar,
  DeliveryTable,
  useDeliveries,
} from './deliveries/delivery-list.tsx';
export { DeliveryPage, ResendDialog } from './deliveries/delivery-page.tsx';
export { DeliveryStatus } from './deliveries/delivery-status.tsx';
export { EVENT_NAMES } from './deliveries/names.ts';
export { ReceiverHealth, Receivers } from './deliveries/receivers.tsx';
export { ReplayDialog } from './deliveries/replay-dialog.tsx';
export {
  Effect,
  EffectDialog,
  type EffectDialogProps,
  Effects,
  type InternalNote,
  Warnings,
} from './effect-dialog.tsx';
export {
  amountField,
  choiceField,
  choicesField,
  countField,
  type Field,
  type FieldsOf,
  linesField,
  minutesField,
  nameField,
  optional,
  switchField,
  textField,
  useForm,
  usernameField,
} from './fields.tsx';
export { ChoiceFilter, ChoicesFilter, FilterBar, SearchFilter } from './filters.tsx';
export { Frame } from './frame/frame.tsx';
export type { Screen } from './frame/screen.ts';
export { type KeyBinding, useKeyList, useKeys } from './keyboard.tsx';
export { LiveBar, LiveProvider, useLiveEvents } from './live.tsx';
export { AddressesForm } from './merchant/addresses-form.tsx';
export { alertChanges } from './merchant/alert-changes.ts';
export { AlertsForm } from './merchant/alerts-form.tsx';
export { ApiKeys } from './merchant/api-keys.tsx';
export { OrderDays } from './merchant/order-days.tsx';
export { pageFields } from './merchant/page-fields.ts';
export { PaymentPageForm } from './merchant/payment-page-form.tsx';
export { People } from './merchant/people.tsx';
export { ROLES as PERSON_ROLES } from './merchant/person.ts';
export { SaveBar } from './merchant/save-bar.tsx';
export { monthName, StatementsTable } from './merchant/statement.tsx';
export { StatementPage } from './merchant/statement-page.tsx';
export { type Save, useSave } from './merchant/use-save.ts';
export { useMovementTimes, WalletMovements, WalletSums } from './merchant/wallet-movements.tsx';
export { methodNames } from './method-names.tsx';
export { Money } from './money.tsx';
export { MoreButton } from './more-button.tsx';
export { useNow } from './now.ts';
export { OrderStatus, statusLabel } from './order-status.tsx';
export { ORDER_FILTERS } from './orders/choices.ts';
export { ORDER_COLUMNS } from './orders/columns.tsx';
export {
  INSIDE,
  KindFilters,
  labelled,
  ORDER_FIELDS,
  RangeFilters,
} from './orders/filter-panel.tsx';
export { filtersInWords, type InWords } from './orders/in-words.ts';
export { OrdersPage } from './orders/orders-page.tsx';
export { Reference } from './orders/reference.tsx';
export { useOrderQuery } from './orders/use-order-query.ts';
export { Card, Facts, Head, Page } from './page.tsx';
export { PageTabs, usePathTab } from './page-tabs.tsx';
export type { Group, Item } from './palette/groups.ts';
export { useOffers } from './palette/offered.ts';
export { LETTERS_MIN, type PaletteSource } from './palette/palette.tsx';
export { useRecent } from './palette/recent.ts';
export { PaperPage, PrintButton } from './paper.tsx';
export { noticeMissingCode } from './reload.ts';
export { useReturnFocus } from './return-focus.ts';
export { WhatWasSearched } from './searched.tsx';
export { type Secrets, SecretsDialog } from './secrets-dialog.tsx';
export { CodeInput } from './sign-in/one-time-code/code-input.tsx';
export { RecoveryCodes } from './sign-in/one-time-code/recovery-codes.tsx';
export { type CodeCalls, SetUpCode } from './sign-in/one-time-code/set-up-code.tsx';
export { OwnSignIn, type OwnSignInFace } from './sign-in/own-sign-in.tsx';
export { Recover, type RecoveryCalls } from './sign-in/recover.tsx';
export { SessionGate, type SignInFace, useSignedIn } from './sign-in/session.tsx';
export { createWebService } from './sign-in/web-service.ts';
export { byMoney, byNumber, byText, byTime } from './sorted.ts';
export { OpenCard, Split } from './split.tsx';
export { Empty, errorText, Failed, fieldError, Loaded, Refusal, Skeleton } from './states.tsx';
export { Chip, type Tone } from './status-chip.tsx';
export { Steps } from './steps.tsx';
export { Timeline, type TimelineEntry } from './timeline.tsx';
export { askBeforeLeaving, useAskingLocation, useTypedDialog } from './unsaved.tsx';
export {
  day,
  type Filters,
  type FiltersOf,
  id,
  oneOf,
  someOf,
  text,
  useFilters,
} from './use-filters.ts';
export { useFlash } from './use-flash.ts';
export { Age, Countdown, TimeZone, useTimeZone, When } from './when.tsx';

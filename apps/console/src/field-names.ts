import type { AuditField } from '@munshi/api';
import { fieldName } from '@munshi/web';
import { alertChanges, pageFields } from '@munshi/web-ui';

/** How a value is written, where not as text. */
export type FieldKind =
  /** In wallet currency. */
  | 'money'
  /** In the currency of orders. */
  | 'amount'
  | 'percent'
  /** Hundredths of a percent. */
  | 'basisPoints'
  | 'seconds'
  | 'time'
  /** One of a few, as the contract writes it. */
  | 'choice'
  | 'methods'
  /** Names of fields. */
  | 'fields'
  | 'merchant'
  | 'member'
  | 'order'
  /** An internal id, or shown in another place. */
  | 'hidden';

interface Field {
  readonly label: string;
  readonly kind?: FieldKind;
}

/** How a field is called in forms, in requests that wait and in the audit log. */
export const fieldLabel = (name: string): string => fieldOf(name).label;

/** Of a newer version's fields the name is all that is known. */
export function fieldOf(name: string): Field {
  const known = BY_NAME[name];
  return typeof known === 'object' ? known : { label: known ?? fieldName(name) };
}

/** Where a field stands among others: databases keep them in no order. */
export const placeOf = (name: string): number =>
  name in FIELDS ? Object.keys(FIELDS).indexOf(name) : Number.MAX_SAFE_INTEGER;

const as =
  (kind: FieldKind) =>
  (label: string): Field => ({ label, kind });
const money = as('money');
const amount = as('amount');
const seconds = as('seconds');
const choice = as('choice');
const methods = as('methods');
const hidden: Field = { label: '', kind: 'hidden' };

/** Of a list of addresses, which is one field. */
type AddressField = 'enabled' | 'entries' | 'scope';

/** Every field, in the order in which people read them. */
const FIELDS: Readonly<Record<AuditField | AddressField, string | Field>> = {
  amount: money('Amount'),
  reason: 'Reason',
  note: 'Note',
  askedInternalNote: 'For ourselves, by whoever asked',
  internalNote: 'For ourselves',
  kind: choice('Kind'),
  merchant: 'Merchant',
  merchantId: { label: 'Merchant', kind: 'merchant' },
  member: 'Member',
  memberName: 'Member',
  memberId: { label: 'Member', kind: 'member' },
  orderId: { label: 'Order', kind: 'order' },
  takenFrom: 'Taken over from',
  accountNumber: 'Account number',
  accountTitle: 'Title',
  accountStatus: choice('Status of the account'),
  qrPayload: 'Content of the QR code',
  everyMerchant: 'For every merchant without a rule of its own',
  orderType: 'Order type',
  walletType: methods('Method'),
  minimumPerOrder: money('Least per order'),
  maximumPerOrder: money('Most per order'),
  maximumPerDay: money('Most per day'),
  qrAmount: 'Order’s amount in the QR code',
  ...pageFields,
  defaultCallbackUrl: 'Default callback URL',
  depositMethods: methods('Methods of deposits'),
  withdrawalMethods: methods('Methods of withdrawals'),
  currencies: 'Currencies',
  ipWhitelist: 'Allowed addresses',
  timeZone: 'Time zone',
  ...alertChanges,
  lowBalance: money(alertChanges.lowBalance),
  enabled: 'In force',
  entries: 'Addresses',
  scope: choice('For'),
  balance: money('Balance of the wallet'),
  outcome: choice('Outcome'),
  orderReference: 'Order',
  operatorId: 'Operator',
  principalId: 'For',
  maxOpenOrders: 'Orders in hand at most',
  online: 'Online',
  phone: 'Telephone',
  email: 'E-mail',
  name: 'Name',
  username: 'Username',
  role: choice('Role'),
  status: choice('Status'),
  password: 'Password',
  hasPassword: 'Has a password',
  expiresInDays: 'Days until it ends',
  expiresAt: { label: 'Ends', kind: 'time' },
  allowed: 'May issue its own keys',
  admins: 'Its admins, who could',
  invited: 'Invited as admins',
  openLinks: 'Links to sign in that are open',
  revokesOthers: 'Revokes the keys before',
  requireSecondOperator: 'Second operator required',
  adjustmentApprovalLimit: money('Limit for one operator'),
  requireOneTimeCode: 'One-time codes for admins',
  stopWithdrawalsOnBreach: 'Stop withdrawals if the books are wrong',
  paymentPageTtlSeconds: seconds('Payment page'),
  memberConfirmationWindowSeconds: seconds('Confirmation window'),
  payoutWindowSeconds: seconds('Payout window'),
  sendingGraceSeconds: seconds('Grace while sending'),
  awaitingWithdrawalTimeoutSeconds: seconds('Wait for a member'),
  missedAlertsMax: 'Missed alerts until offline',
  memberShareBasisPoints: { label: 'Members’ share', kind: 'basisPoints' },
  evidenceDays: 'Days that pictures are kept',
  displayNames: 'Display names',
  rateOf: 'Currency',
  rate: 'Rate (PKR per unit)',
  creditOf10000: money('A deposit of 10,000 credits'),
  percent: { label: 'Percent', kind: 'percent' },
  fixed: amount('Fixed'),
  minimum: amount('Least fee'),
  maximum: amount('Highest fee'),
  fromAmount: amount('From amount'),
  toAmount: amount('To amount'),
  replaces: 'Takes the place of rule',
  feeRuleId: 'Rule',
  exampleAmount: amount('For an order of'),
  exampleFee: amount('The fee is'),
  endpoint: 'Request',
  position: 'Channel',
  origin: 'Leads to',
  afterSeconds: seconds('After'),
  headers: 'Headers',
  bodyTemplate: 'Body',
  from: { label: 'From', kind: 'time' },
  to: { label: 'To', kind: 'time' },
  wallets: money('Merchants’ wallets'),
  frozen: money('Frozen'),
  floats: money('Members’ floats'),
  counted: money('Counted'),
  fields: { label: 'Fields', kind: 'fields' },
  filters: { label: 'Filters', kind: 'fields' },
  search: 'Searched for',
  stage: choice('Stage'),
  currency: 'Currency',
  amountFrom: amount('Amount from'),
  amountTo: amount('Amount to'),
  dueFrom: { label: 'Due from', kind: 'time' },
  dueTo: { label: 'Due before', kind: 'time' },
  dueWithinMinutes: 'Due within minutes',
  hasLateClaim: 'Claimed late',
  hasFailingWebhook: 'Webhook failing',
  utcOffset: hidden,
  query: 'Filters of the view',
  shared: 'For everybody',
  approvalId: 'Request',
  requestedBy: 'Asked for by',
  askedBy: 'Asked for by',
  approvedBy: 'Approved by',
  prefix: 'Key begins with',
  keyId: 'Key',
  token: 'With a script token',
  tokenId: 'Token',
  revoked: 'Revoked',
  ended: 'Ended',
  systemUser: 'User of the server',
  face: choice('Signed in to'),
  accounts: 'Accounts',
  failures: 'Failures',
  addresses: 'Addresses',
  address: 'Address',
  oneTimeCode: choice('One-time code'),
  sessionId: 'Sign-in',
  since: { label: 'Since', kind: 'time' },
  seconds: seconds('By'),
  missed: 'Alerts missed',
  service: 'Service of the browser',
  subscriptionId: 'Subscription',
  phones: 'Phones',
  deliveryId: 'Delivery',
  evidenceId: 'Picture',
  sha256: 'Its hash',
  accountId: hidden,
  alertId: hidden,
  adjustmentId: hidden,
  portalUserId: hidden,
};
const BY_NAME: Readonly<Record<string, string | Field | undefined>> = FIELDS;

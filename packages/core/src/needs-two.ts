import type { Merchant } from './decision.ts';
import { type DisplayNames, isRenamed } from './display-names.ts';
import { areCovered } from './ip.ts';
import type { Member } from './matching.ts';
import { type AlertSettings, areAlertsWeaker } from './merchant-alert.ts';
import type { Money } from './money.ts';
import { type OperatorFields, type OperatorState, raisesOperator } from './operator.ts';
import type { PortalPerson } from './portal.ts';

/**
 * Which changes wait for a second operator while one is required (security.md#two-operators): by
 * what was, what will be, and who asks. Limits of a member's account: `widensLimits`.
 */

interface Asker {
  readonly id: string;
}

/** More power for an operator, or a password for another one. Taking power away never waits. */
export const operatorNeedsTwo = (
  before: Pick<OperatorState, 'operatorId' | 'role' | 'status'>,
  after: OperatorFields,
  asker: Asker,
): boolean =>
  raisesOperator(before, after) || (after.password !== undefined && before.operatorId !== asker.id);

/** How long a script token of one's own may live by one's own decision. */
const OWN_TOKEN_DAYS = 90;

/** A script token for another operator, or a long-lived one. */
export const tokenNeedsTwo = (
  { operatorId }: Pick<OperatorState, 'operatorId'>,
  { expiresInDays }: { readonly expiresInDays: number },
  asker: Asker,
): boolean => operatorId !== asker.id || expiresInDays > OWN_TOKEN_DAYS;

/** A password for a member, or an active status again. */
export const memberNeedsTwo = (
  before: Pick<Member, 'status'>,
  {
    password,
    status,
  }: {
    readonly password?: string | undefined;
    readonly status?: Member['status'] | undefined;
  },
): boolean => password !== undefined || (status === 'active' && before.status !== 'active');

/**
 * That somebody signs in to a merchant's portal as an admin, who could fetch its keys. What is given
 * to a suspended one waits too: who makes them active again is not shown it.
 */
export const personNeedsTwo = (_before: unknown, { role, lets }: PersonLetIn): boolean =>
  role === 'admin' && lets;

/** A person of a merchant after a change. */
interface PersonLetIn extends Pick<PortalPerson, 'role'> {
  /** They are new, or get a password, a link, another e-mail address, more rights, or active again. */
  readonly lets: boolean;
}

/** That a merchant issues its own keys. */
export const ownKeysNeedTwo = (
  _before: unknown,
  { allowed }: { readonly allowed: boolean },
): boolean => allowed;

interface Whitelisted {
  readonly ipWhitelist: Merchant['ipWhitelist'];
}

/** That orders of a merchant may come from addresses that could not make them before. */
export const admitsMoreAddresses = (
  { ipWhitelist: before }: Whitelisted,
  { ipWhitelist: after }: Partial<Whitelisted>,
): boolean =>
  after !== undefined &&
  before.enabled &&
  (!after.enabled || !areCovered(after.entries, before.entries));

/** What customers read beside the account to pay, and where webhooks go. */
const NAMED_TO_CUSTOMERS = [
  'name',
  'displayName',
  'logo',
  'supportEmail',
  'supportPhone',
  'supportUrl',
  'defaultCallbackUrl',
] as const;
type Named = Readonly<Record<(typeof NAMED_TO_CUSTOMERS)[number], string | null>>;
type MerchantFields = Named & Whitelisted & Pick<Merchant, 'status'>;

/** That customers read another name or contact, webhooks go elsewhere, or more is accepted. */
export const merchantNeedsTwo = (
  before: MerchantFields,
  after: { readonly [Name in keyof MerchantFields]?: MerchantFields[Name] | undefined },
): boolean =>
  NAMED_TO_CUSTOMERS.some((name) => after[name] !== undefined && after[name] !== before[name]) ||
  (after.status === 'active' && before.status !== 'active') ||
  (after.ipWhitelist !== undefined &&
    admitsMoreAddresses(before, { ipWhitelist: after.ipWhitelist }));

/** That an alert of a merchant reaches fewer, later or none. */
export const alertsNeedTwo = (
  before: AlertSettings,
  { ...change }: { readonly [Name in keyof AlertSettings]?: AlertSettings[Name] | undefined },
): boolean => {
  const changed = Object.entries(change).filter(([, value]) => value !== undefined);
  const after: AlertSettings = { ...before, ...Object.fromEntries(changed) };
  return (
    before.alertEmails.some((address) => !after.alertEmails.includes(address)) ||
    areAlertsWeaker(before, after)
  );
};

interface Safeguards {
  readonly payoutWindowSeconds: number;
  readonly sendingGraceSeconds: number;
  readonly stopWithdrawalsOnBreach: boolean;
  readonly adjustmentApprovalLimit: Money | null;
  readonly requireSecondOperator: boolean;
  readonly requireOneTimeCode: boolean;
  readonly displayNames: DisplayNames;
}

const isLess = (before: number, after: number) => after < before;
const isTurnedOff = (before: boolean, after: boolean) => before && !after;

/**
 * What loosens each safeguard: fewer acts than before need a second operator or fewer sign-ins a
 * code, a breach of the books stops nothing, a payout is taken sooner from a member who may be
 * sending it, or customers read other names of methods where they pay.
 */
const IS_LOOSENED: {
  readonly [Name in keyof Safeguards]: (
    before: Safeguards[Name],
    after: Safeguards[Name],
  ) => boolean;
} = {
  payoutWindowSeconds: isLess,
  sendingGraceSeconds: isLess,
  stopWithdrawalsOnBreach: isTurnedOff,
  adjustmentApprovalLimit: (before, after) => after === null || after > (before ?? 0n),
  requireSecondOperator: isTurnedOff,
  requireOneTimeCode: isTurnedOff,
  displayNames: isRenamed,
};
/** The settings that need a second operator to loosen. */
export const SAFEGUARDS = Object.keys(IS_LOOSENED) as readonly (keyof Safeguards)[];

/** That a safeguard is loosened. */
export const settingsNeedTwo = (before: Safeguards, after: Partial<Safeguards>): boolean =>
  before.requireSecondOperator && SAFEGUARDS.some((name) => isLoosened(name, before, after));

function isLoosened<Name extends keyof Safeguards>(
  name: Name,
  before: Safeguards,
  { [name]: after }: Partial<Safeguards>,
): boolean {
  return after !== undefined && IS_LOOSENED[name](before[name], after);
}

import type { Context, Decision, Keys, View } from '../decision.ts';
import type { DecidedByOperators, NeedsTwo } from '../four-eyes.ts';
import type { Member } from '../matching.ts';
import type { Order } from '../order.ts';
import type { Adjustment } from '../rows.ts';
import * as adjustFloat from './adjust-float.ts';
import * as adjustWallet from './adjust-wallet.ts';
import * as assignWaiting from './assign-waiting.ts';
import * as cancelByCustomer from './cancel-by-customer.ts';
import * as confirmPayment from './confirm-payment.ts';
import * as createOrder from './create-order.ts';
import * as customerNote from './customer-note.ts';
import * as memberConfirm from './member-confirm.ts';
import * as memberNote from './member-note.ts';
import * as memberReject from './member-reject.ts';
import * as memberRelease from './member-release.ts';
import * as memberReport from './member-report.ts';
import * as memberSending from './member-sending.ts';
import * as openPage from './open-page.ts';
import * as operatorCancel from './operator-cancel.ts';
import * as operatorConfirm from './operator-confirm.ts';
import * as operatorEscalate from './operator-escalate.ts';
import * as operatorResolve from './operator-resolve.ts';
import * as passDeadline from './pass-deadline.ts';
import * as submitAccount from './submit-account.ts';
import * as submitPayer from './submit-payer.ts';
import * as switchMethod from './switch-method.ts';
import * as updateMember from './update-member.ts';
import * as withdrawMember from './withdraw-member.ts';

/** Every command with its result. Every change of money, status or capacity is one of these. */
interface Results {
  'adjust-float': [adjustFloat.AdjustFloat, adjustFloat.FloatAdjustment | NeedsTwo];
  'adjust-wallet': [adjustWallet.AdjustWallet, Adjustment | NeedsTwo];
  'assign-waiting': [assignWaiting.AssignWaiting, Order];
  'cancel-by-customer': [cancelByCustomer.CancelByCustomer, Order];
  'confirm-payment': [confirmPayment.ConfirmPayment, Order];
  'create-order': [createOrder.CreateOrder, Order];
  'customer-note': [customerNote.CustomerNote, Order];
  'member-confirm': [memberConfirm.MemberConfirm, Order];
  'member-note': [memberNote.MemberNote, Order];
  'member-reject': [memberReject.MemberReject, Order];
  'member-release': [memberRelease.MemberRelease, Order];
  'member-report': [memberReport.MemberReport, Order];
  'member-sending': [memberSending.MemberSending, Order];
  'open-page': [openPage.OpenPage, Order];
  'operator-cancel': [operatorCancel.OperatorCancel, Order];
  'operator-confirm': [
    operatorConfirm.OperatorConfirm,
    operatorConfirm.LateConfirmation | NeedsTwo,
  ];
  'operator-escalate': [operatorEscalate.OperatorEscalate, Order];
  'operator-resolve': [operatorResolve.OperatorResolve, operatorResolve.Resolution | NeedsTwo];
  'pass-deadline': [passDeadline.PassDeadline, Order];
  'submit-account': [submitAccount.SubmitAccount, Order];
  'submit-payer': [submitPayer.SubmitPayer, Order];
  'switch-method': [switchMethod.SwitchMethod, Order];
  'update-member': [updateMember.UpdateMember, Member];
  'withdraw-member': [withdrawMember.WithdrawMember, Order];
}

export type CommandKind = keyof Results;
export type CommandOf<Kind extends CommandKind> = Results[Kind][0];
export type ResultOf<Kind extends CommandKind> = Results[Kind][1];
export type Command = CommandOf<CommandKind>;

/** Commands that may have to wait for a second operator. */
export type MoneyCommandKind = {
  [Kind in CommandKind]: CommandOf<Kind> extends DecidedByOperators ? Kind : never;
}[CommandKind];
/** What one of them asks for, before it is known who decides. */
export type AskedCommand<Kind extends MoneyCommandKind = MoneyCommandKind> = Kind extends unknown
  ? Omit<CommandOf<Kind>, 'kind' | 'commandId' | Exclude<keyof DecidedByOperators, 'internalNote'>>
  : never;

interface Handler<Kind extends CommandKind> {
  keys(command: CommandOf<Kind>): Keys;
  decide(command: CommandOf<Kind>, view: View, ctx: Context): Decision<ResultOf<Kind>>;
}

const HANDLERS: { readonly [Kind in CommandKind]: Handler<Kind> } = {
  'adjust-float': adjustFloat,
  'adjust-wallet': adjustWallet,
  'assign-waiting': assignWaiting,
  'cancel-by-customer': cancelByCustomer,
  'confirm-payment': confirmPayment,
  'create-order': createOrder,
  'customer-note': customerNote,
  'member-confirm': memberConfirm,
  'member-note': memberNote,
  'member-reject': memberReject,
  'member-release': memberRelease,
  'member-report': memberReport,
  'member-sending': memberSending,
  'open-page': openPage,
  'operator-cancel': operatorCancel,
  'operator-confirm': operatorConfirm,
  'operator-escalate': operatorEscalate,
  'operator-resolve': operatorResolve,
  'pass-deadline': passDeadline,
  'submit-account': submitAccount,
  'submit-payer': submitPayer,
  'switch-method': switchMethod,
  'update-member': updateMember,
  'withdraw-member': withdrawMember,
};

/** The rows that must be loaded before the command is decided. */
export function keysOf(command: Command): Keys {
  return (HANDLERS[command.kind] as Handler<CommandKind>).keys(command);
}

/** What should happen. Pure: the same rows, clock and ids give the same decision. */
export function decide(
  command: Command,
  view: View,
  ctx: Context,
): Decision<ResultOf<CommandKind>> {
  return (HANDLERS[command.kind] as Handler<CommandKind>).decide(command, view, ctx);
}

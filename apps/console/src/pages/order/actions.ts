import {
  APPROVE_REQUEST,
  CANCEL_ORDER,
  CONFIRM_ORDER,
  DECLINE_REQUEST,
  type Endpoint,
  ESCALATE_ORDER,
  RESEND_DELIVERY,
  RESOLVE_ORDER,
  RETRY_DELIVERY,
} from '@munshi/api';
import type { InternalNote } from '@munshi/web-ui';
import { amountOf, type OrderDetail } from './order.ts';
import { texts } from './texts.ts';

/** Something that an operator may do about an order now. */
export interface OrderAction {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
  body?(note: string, internal: InternalNote): Readonly<Record<string, unknown>>;
  /** What its note is, beyond the history's. */
  readonly note?: { readonly hint?: string; readonly internal: true };
  /** Names it with the amount. */
  readonly label: string;
  readonly hint: string;
  /** Said when it is done. */
  readonly done: string;
  /** Its button where another operator must approve it first. */
  readonly asks?: string;
  readonly templates: readonly string[];
  readonly danger?: boolean;
  /** The one that comes next. */
  readonly isNext: boolean;
  /** The opposite of the next one: drawn next to it. */
  readonly isOpposite?: boolean;
  /** Whether a preview of it can be asked for. */
  readonly previewed: boolean;
  /** It may name who received or paid the money. */
  readonly namesMember?: boolean;
}

type Name = keyof typeof texts.hints;

/** What the service allows, the one that comes next first. */
export function actionsOf(order: OrderDetail): readonly OrderAction[] {
  const { orderId, allowedActions } = order;
  const amount = amountOf(order);
  const isPayout = order.orderType === 'Withdrawal';
  const hints = { ...texts.hints, ...(isPayout && texts.payoutHints) };
  const templates = { ...texts.templates, ...(isPayout && texts.payoutTemplates) };
  const allows = (action: OrderDetail['allowedActions'][number]) => allowedActions.includes(action);
  const action = (
    name: Name,
    endpoint: Endpoint,
    more: Partial<OrderAction> & Pick<OrderAction, 'isNext'>,
  ): OrderAction => ({
    id: name,
    endpoint,
    params: { orderId },
    label: texts.actions[name](amount),
    hint: hints[name],
    done: texts.done[name](amount),
    templates: templates[name],
    previewed: true,
    ...more,
  });
  const noted = (text: string, internal: InternalNote) => ({ note: text, ...internal });
  const outcome = (value: string) => (text: string, internal: InternalNote) => ({
    outcome: value,
    ...noted(text, internal),
  });
  const note = { internal: true } as const;
  const merchantReads = { ...note, hint: texts.merchantReads };
  const asks = texts.asksFor(amount);
  const claimed = order.lateClaims.some(({ status }) => status === 'open');
  return [
    ...order.approvals.flatMap((request) => approvalActions(request, amount, action)),
    ...(allows('resolve')
      ? [
          action('complete', RESOLVE_ORDER, {
            isNext: true,
            note,
            body: outcome('Completed'),
            asks,
            namesMember: order.formerMemberIds.length > 0,
          }),
          action('cancelReview', RESOLVE_ORDER, {
            isNext: false,
            isOpposite: true,
            danger: true,
            note: merchantReads,
            body: outcome('Cancelled'),
            asks,
          }),
        ]
      : []),
    ...(allows('confirm')
      ? [
          action('confirm', CONFIRM_ORDER, {
            isNext: claimed,
            note,
            body: noted,
            asks,
            namesMember: true,
          }),
        ]
      : []),
    ...(allows('escalate')
      ? [action('escalate', ESCALATE_ORDER, { isNext: false, note, body: noted })]
      : []),
    ...(allows('cancel')
      ? [
          action('cancel', CANCEL_ORDER, {
            isNext: false,
            danger: true,
            note: merchantReads,
            body: noted,
          }),
        ]
      : []),
    ...(allows('retry-now') ? [action('retry', RETRY_DELIVERY, { isNext: false })] : []),
    ...(allows('resend') ? [action('resend', RESEND_DELIVERY, { isNext: false })] : []),
  ];
}

/** Agreeing to a request that waits, or turning it down. */
function approvalActions(
  { approvalId, allowedActions, request }: OrderDetail['approvals'][number],
  amount: string,
  action: (
    name: Name,
    endpoint: Endpoint,
    more: Partial<OrderAction> & Pick<OrderAction, 'isNext'>,
  ) => OrderAction,
): readonly OrderAction[] {
  const params = { approvalId };
  const body = (text: string, internal: InternalNote) => ({ note: text, ...internal });
  const note = { internal: true } as const;
  return [
    ...(allowedActions.includes('approve')
      ? [
          action('approve', APPROVE_REQUEST, {
            id: `approve ${approvalId}`,
            ...(request['outcome'] === 'Cancelled' && { label: texts.approveCancel(amount) }),
            isNext: true,
            params,
            note,
            body,
          }),
        ]
      : []),
    ...(allowedActions.includes('decline')
      ? [
          action('decline', DECLINE_REQUEST, {
            id: `decline ${approvalId}`,
            isNext: false,
            isOpposite: true,
            danger: true,
            params,
            note,
            body,
            previewed: false,
          }),
        ]
      : []),
  ];
}

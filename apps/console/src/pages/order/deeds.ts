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
export interface Deed {
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
  /** Where it waits for somebody else first. */
  readonly asks?: string;
  readonly templates: readonly string[];
  readonly danger?: boolean;
  /** The one that comes next. */
  readonly isNext: boolean;
  /** The opposite of the next one: stands beside it. */
  readonly isOpposite?: boolean;
  /** Whether a preview of it can be asked for. */
  readonly previewed: boolean;
  /** It may name who received the money. */
  readonly namesMember?: boolean;
}

type Name = keyof typeof texts.hints;

/** What the service allows, the one that comes next first. */
export function deedsOf(order: OrderDetail): readonly Deed[] {
  const { orderId, allowedActions } = order;
  const amount = amountOf(order);
  const allows = (action: OrderDetail['allowedActions'][number]) => allowedActions.includes(action);
  const deed = (
    name: Name,
    endpoint: Endpoint,
    more: Partial<Deed> & Pick<Deed, 'isNext'>,
  ): Deed => ({
    id: name,
    endpoint,
    params: { orderId },
    label: texts.actions[name](amount),
    hint: texts.hints[name],
    done: texts.done[name](amount),
    templates: texts.templates[name],
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
    ...order.approvals.flatMap((request) => approvalDeeds(request, deed)),
    ...(allows('resolve')
      ? [
          deed('complete', RESOLVE_ORDER, { isNext: true, note, body: outcome('Completed'), asks }),
          deed('cancelReview', RESOLVE_ORDER, {
            isNext: false,
            isOpposite: true,
            danger: true,
            note: merchantReads,
            body: outcome('Cancelled'),
          }),
        ]
      : []),
    ...(allows('confirm')
      ? [
          deed('confirm', CONFIRM_ORDER, {
            isNext: claimed,
            note,
            body: noted,
            asks,
            namesMember: order.memberId === null,
          }),
        ]
      : []),
    ...(allows('escalate')
      ? [deed('escalate', ESCALATE_ORDER, { isNext: false, note, body: noted })]
      : []),
    ...(allows('cancel')
      ? [
          deed('cancel', CANCEL_ORDER, {
            isNext: false,
            danger: true,
            note: merchantReads,
            body: noted,
          }),
        ]
      : []),
    ...(allows('retry-now') ? [deed('retry', RETRY_DELIVERY, { isNext: false })] : []),
    ...(allows('resend') ? [deed('resend', RESEND_DELIVERY, { isNext: false })] : []),
  ];
}

/** Agreeing to a request that waits, or turning it down. */
function approvalDeeds(
  { approvalId, allowedActions }: OrderDetail['approvals'][number],
  deed: (name: Name, endpoint: Endpoint, more: Partial<Deed> & Pick<Deed, 'isNext'>) => Deed,
): readonly Deed[] {
  const params = { approvalId };
  const body = (text: string, internal: InternalNote) => ({ note: text, ...internal });
  const note = { internal: true } as const;
  return [
    ...(allowedActions.includes('approve')
      ? [
          deed('approve', APPROVE_REQUEST, {
            id: `approve ${approvalId}`,
            isNext: true,
            params,
            note,
            body,
          }),
        ]
      : []),
    ...(allowedActions.includes('decline')
      ? [
          deed('decline', DECLINE_REQUEST, {
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

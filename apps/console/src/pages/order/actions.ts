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

/** An action in words, with sentences for its note. */
interface Words {
  /** Its letter, and the one that it has where another action has that. */
  readonly letters: string;
  readonly label: (amount: string) => string;
  readonly hint: string;
  readonly done: (amount: string) => string;
  readonly templates: readonly string[];
}

const WORDS = {
  complete: {
    letters: 'ao',
    label: (amount) => `Complete ${amount}`,
    hint: 'The money came. The order completes.',
    done: (amount) => `${amount} completed.`,
    templates: [
      'Seen in the member’s account statement.',
      'The member confirmed by phone that the money is in.',
      'The customer’s receipt fits amount, time and digits.',
    ],
  },
  cancelReview: {
    letters: 'cx',
    label: (amount) => `Cancel ${amount}`,
    hint: 'The money did not come. The order is cancelled.',
    done: (amount) => `${amount} cancelled.`,
    templates: [
      'The money is not in the account after a check of the statement.',
      'The receipt is of another payment.',
      'The member could not pay; nothing was sent.',
    ],
  },
  confirm: {
    letters: 'ao',
    label: (amount) => `Confirm ${amount}`,
    hint: 'The order had failed, and the money came after all. Its late claims are closed with the same note.',
    done: (amount) => `${amount} confirmed.`,
    templates: [
      'The payment came after the link had expired; seen in the statement.',
      'The member found the payment after all.',
    ],
  },
  approve: {
    letters: 'a',
    label: (amount) => `Approve ${amount}`,
    hint: 'Another operator asked for this. It is done as shown.',
    done: (amount) => `${amount} approved.`,
    templates: ['Checked against the statement.'],
  },
  decline: {
    letters: 'd',
    label: () => 'Turn the request down',
    hint: 'The order does not change. The operator may ask again.',
    done: () => 'The request is turned down.',
    templates: ['The statement does not show it.', 'Another order has this payment.'],
  },
  cancel: {
    letters: 'c',
    label: (amount) => `Cancel ${amount}`,
    hint: 'The customer has not paid. The order is cancelled.',
    done: (amount) => `${amount} cancelled.`,
    templates: ['The customer asked to cancel.', 'The merchant asked to cancel.', 'Created twice.'],
  },
  escalate: {
    letters: 'e',
    label: (amount) => `Take ${amount} into review`,
    hint: 'The member can no longer confirm it; operations decide.',
    done: (amount) => `${amount} is in review.`,
    templates: [
      'The member cannot be reached.',
      'The customer disputes what the member says.',
      'The amount received differs.',
    ],
  },
  retry: {
    letters: 'r',
    label: () => 'Retry the webhook now',
    hint: 'The same delivery is sent at once, with the same body.',
    done: () => 'The webhook is sent now.',
    templates: [],
  },
  resend: {
    letters: 's',
    label: () => 'Send the webhook again',
    hint: 'A new delivery sends the current outcome again.',
    done: () => 'The webhook is sent again.',
    templates: [],
  },
} satisfies Readonly<Record<string, Words>>;
type Name = keyof typeof WORDS;

/** Of a withdrawal, where they differ. */
const PAYOUT_WORDS: Readonly<Partial<Record<Name, Partial<Words>>>> = {
  complete: {
    hint: 'The customer has the money. The order completes.',
    templates: [
      'The transfer is in the member’s account statement.',
      'The customer confirmed that the money is in.',
    ],
  },
  cancelReview: {
    hint: 'No money was sent. The order is cancelled.',
    templates: [
      'The member could not pay; nothing was sent.',
      'The transfer came back; seen in the statement.',
    ],
  },
  confirm: {
    hint: 'The order had failed, and the customer has the money after all.',
    templates: ['The member had paid; the transfer is in the statement.'],
  },
  cancel: {
    hint: 'Only if nobody has sent the money. A member who holds the order may be paying right now: if in doubt, take it into review.',
  },
};

/** Something that an operator may do about an order now. */
export interface OrderAction {
  readonly id: string;
  /** Opens it; none where others of the order have all of its letters. */
  readonly letter: string | undefined;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
  body?(note: string, internal: InternalNote): Readonly<Record<string, unknown>>;
  /** What its note is, beyond the history's. */
  readonly note?: {
    readonly required?: false;
    readonly label?: string;
    readonly hint?: string;
    readonly internal?: true;
  };
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

/** What the service allows, the one that comes next first. */
export function actionsOf(order: OrderDetail): readonly OrderAction[] {
  const taken = new Set<string>();
  return allowedOf(order).map(({ letters, ...action }) => {
    const letter = [...letters].find((one) => !taken.has(one));
    if (letter !== undefined) taken.add(letter);
    return { ...action, letter };
  });
}

type Allowed = Omit<OrderAction, 'letter'> & Pick<Words, 'letters'>;

function allowedOf(order: OrderDetail): readonly Allowed[] {
  const { orderId, allowedActions } = order;
  const amount = amountOf(order);
  const isPayout = order.orderType === 'Withdrawal';
  const allows = (action: OrderDetail['allowedActions'][number]) => allowedActions.includes(action);
  const action = (
    name: Name,
    endpoint: Endpoint,
    more: Partial<Allowed> & Pick<Allowed, 'isNext'>,
  ): Allowed => {
    const words: Words = { ...WORDS[name], ...(isPayout && PAYOUT_WORDS[name]) };
    return {
      id: name,
      endpoint,
      params: { orderId },
      ...words,
      label: words.label(amount),
      done: words.done(amount),
      previewed: true,
      ...more,
    };
  };
  const noted = (text: string, internal: InternalNote) => ({ note: text, ...internal });
  const outcome = (value: string) => (text: string, internal: InternalNote) => ({
    outcome: value,
    ...noted(text, internal),
  });
  const merchantReads = {
    internal: true,
    hint: 'The merchant reads this: it is the reason in the webhook and in the portal. It is in the history and the audit log, too.',
  } as const;
  const asks = `Ask for approval of ${amount}`;
  const claimed = order.lateClaims.some(({ status }) => status === 'open');
  return [
    ...order.approvals.flatMap((request) => approvalActions(request, amount, action)),
    ...(allows('resolve')
      ? [
          action('complete', RESOLVE_ORDER, {
            isNext: true,
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
            body: noted,
            asks,
            namesMember: true,
          }),
        ]
      : []),
    ...(allows('escalate')
      ? [action('escalate', ESCALATE_ORDER, { isNext: false, body: noted })]
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
    more: Partial<Allowed> & Pick<Allowed, 'isNext'>,
  ) => Allowed,
): readonly Allowed[] {
  const params = { approvalId };
  return [
    ...(allowedActions.includes('approve')
      ? [
          action('approve', APPROVE_REQUEST, {
            id: `approve ${approvalId}`,
            ...(request['outcome'] === 'Cancelled' && { label: `Approve to cancel ${amount}` }),
            isNext: true,
            params,
            note: { required: false, label: 'Note (optional)' },
            body: (text) => (text === '' ? {} : { note: text }),
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
            body: (text) => ({ note: text }),
            previewed: false,
          }),
        ]
      : []),
  ];
}

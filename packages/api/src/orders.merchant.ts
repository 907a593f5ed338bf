import {
  CREATION_FIELDS,
  type CreationField,
  CURRENCIES,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  METHODS,
  ORDER_TYPES,
  type OrderType,
  SIGNATURE_CODES,
  STAGES,
  STATUSES,
  type Stage,
  type Status,
  WALLET_TYPES,
  type WalletType,
  WITHDRAWAL_METHODS,
} from '@munshi/core';
import Type, { type TSchema } from 'typebox';
import {
  type Example,
  FAILURES,
  ProblemDetails,
  problemExample,
  type ResponseDescription,
  SignatureError,
  SingleMessage,
  signatureErrorExample,
} from './contract/errors.ts';
import {
  answer,
  dataOf,
  type Examples,
  message,
  NOT_FOUND,
  refusal,
  UNAUTHENTICATED,
} from './contract/merchant-answers.ts';
import { namedEnum, namedObject } from './contract/schemas.ts';

/**
 * The wire contract of the merchant endpoints: what the OpenAPI document shows. merchant-api.md
 * says the same in words.
 */

/** The key and secret of every example. They are issued by no environment. */
export const EXAMPLE_API_KEY = 'mk_live_NotAKey0123456789NotAKey01234567';
export const EXAMPLE_SIGNING_SECRET = 'sksec_NotASecret0123456789NotASecret0123456789';

// ---- Values

/** The meanings in merchant-api.md#payment-methods. */
const METHOD_MEANINGS: Readonly<Record<WalletType, string>> = {
  ProviderA: 'ProviderA account number',
  ProviderATillID: 'ProviderA Till ID',
  ProviderAQR: 'ProviderA QR code',
  ProviderB: 'ProviderB account number',
  TillID: 'ProviderB Till ID',
  ProviderBQR: 'ProviderB QR code',
  BankAccount: 'bank account; a deposit page opens on the list of the other methods',
};

const STATUS_MEANINGS: Readonly<Record<Status, string>> = {
  Awaiting: 'accepted, waiting for an eligible member or for the customer’s withdrawal account',
  Queued: 'deposit: a member is assigned, the customer has not opened the page or picked a method',
  AwaitingCustomerPayment: 'deposit: the page is open and the receiving account reserved',
  AwaitingMemberConfirmation: 'deposit: the customer confirmed, the member verifies the receipt',
  AwaitingMemberPayout: 'withdrawal: the member is to send the payout',
  ManualReview: 'escalated to operations; not a failure',
  Completed: 'final: funds received or paid out',
  Rejected: 'final: the member rejected',
  Expired: 'final: the checkout link expired before payment',
  CancelledTimeout: 'final: no eligible member, or no customer account, in time',
  Cancelled: 'final: cancelled by the operator or the member',
  CancelledAuto: 'final: cancelled automatically',
  Assigned: 'older orders only, in progress',
  Frozen: 'older orders only, in progress',
  Confirmed: 'older orders only; equivalent to Completed',
};

const STAGE_MEANINGS: Readonly<Record<Stage, string>> = {
  Awaiting: 'waiting for a member or an account',
  Assigned: 'a member has the order',
  Sent: 'deposit: the customer confirmed the payment',
  Approved: 'comes together with Completed',
  Rejected: 'comes together with Failed',
  Completed: 'settled',
  Failed: 'ended without settlement',
};

const listOf = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings)
    .map(([value, meaning]) => `- \`${value}\`: ${meaning}`)
    .join('\n');

const time = (description: string) => Type.String({ format: 'date-time', description });
const timeOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });
const amountOf = (description: string) =>
  Type.Number({ description: `${description} An exact decimal with at most 4 places.` });

const status = namedEnum(
  'OrderStatus',
  STATUSES,
  `Where the order stands:\n${listOf(STATUS_MEANINGS)}`,
);
const stage = namedEnum(
  'OrderStage',
  STAGES,
  `The canonical stage, for branching:\n${listOf(STAGE_MEANINGS)}`,
);
const orderId = Type.String({ format: 'uuid', description: "The service's order ID." });
const orderReference = Type.String({
  description: 'Human-readable reference, `ORD-<timestamp>-<suffix>`.',
  pattern: '^ORD-',
});
const merchantOrderRef = textOrNull("The merchant's own reference, null if none was sent.");

// ---- Request

/**
 * A name or, as well, its integer (merchant-api.md#conventions). Null counts as not sent where the
 * field may be left out.
 */
function enumSchema(field: Extract<CreationField, { type: 'enum' }>): TSchema {
  const integers = field.values.map((_, at) => at);
  return {
    oneOf: [
      namedEnum(capitalised(field.name), field.values),
      {
        type: 'integer',
        enum: integers,
        'x-enum-varnames': [...field.values],
        description: `Accepted on input, not recommended: ${field.values.map((value, at) => `${at} = ${value}`).join(', ')}.`,
      },
      ...(field.required ? [] : [{ type: 'null' }]),
    ],
    description:
      field.name === 'walletType'
        ? `${field.description}\n${methodTable()}`
        : withDefault(field.description, field),
  };
}

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const methodTable = () =>
  WALLET_TYPES.map(
    (method) =>
      `- \`${method}\`: ${METHOD_MEANINGS[method]}${METHODS[method].withdrawal ? '' : ' (deposits only)'}`,
  ).join('\n');

/** In words: generators require a field that has a `default`. */
const withDefault = (description: string, field: CreationField) =>
  'default' in field ? `${description} ${field.default} by default.` : description;

const orNull = (type: string, field: CreationField) => (field.required ? type : [type, 'null']);

/**
 * One row of the request table (merchant-api.md#request) as JSON Schema. Lengths count Unicode code
 * points in both.
 */
function fieldSchema(field: CreationField): TSchema {
  const { description } = field;
  switch (field.type) {
    case 'enum':
      return enumSchema(field);
    case 'number':
      return {
        type: 'number',
        exclusiveMinimum: field.exclusiveMinimum,
        exclusiveMaximum: field.exclusiveMaximum,
        description,
      };
    case 'integer':
      return {
        type: orNull('integer', field),
        minimum: field.min,
        maximum: field.max,
        description: withDefault(description, field),
      };
    case 'string':
      return {
        type: orNull('string', field),
        maxLength: field.maxLength,
        ...('format' in field ? { format: 'uri' } : {}),
        description,
      };
    case 'signature':
      return { type: 'string', pattern: field.pattern, description };
  }
}

const FIELDS: readonly CreationField[] = Object.values(CREATION_FIELDS);

/**
 * Order creation request. Fields that the service does not know are signed and otherwise ignored.
 */
export const CreationRequest: TSchema = {
  title: 'CreationRequest',
  type: 'object',
  required: FIELDS.filter(({ required }) => required).map(({ name }) => name),
  properties: Object.fromEntries(FIELDS.map((field) => [field.name, fieldSchema(field)])),
};

/** The header of order creation. Its name is matched in any case. */
export const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
  description:
    'A unique text for each order. A repeated request with the same key and the same terms answers the original order; with other terms it is refused with 422. Keys belong to the API key and do not expire. A rejected request does not use up its key.',
});

/**
 * Signed with EXAMPLE_SIGNING_SECRET. The signature holds for the values as JSON.stringify writes
 * them.
 */
export const CREATION_REQUEST_EXAMPLES = {
  deposit: {
    summary: 'Deposit',
    value: {
      orderType: 'Deposit',
      amount: 1500.5,
      walletType: 'ProviderA',
      currency: 'PKR',
      merchantOrderRef: 'INV-1001',
      customerReference: 'customer-77',
      callbackUrl: 'https://shop.example/webhooks',
      successUrl: 'https://shop.example/thanks',
      failureUrl: 'https://shop.example/sorry',
      metadata: '{"basket":42}',
      txnRefDigitsRequired: 6,
      signature: '1d056b6d464ae9961949f40b219e6e29',
    },
  },
  withdrawal: {
    summary: 'Withdrawal to a known account',
    value: {
      orderType: 'Withdrawal',
      amount: 2500,
      walletType: 'ProviderB',
      merchantOrderRef: 'PAYOUT-2001',
      customerAccountNumber: '03001234567',
      customerAccountName: 'Ayesha Khan',
      maxRetryCount: 2,
      signature: '9f756a05ecd5dfe5fc60c3438978416e',
    },
  },
  withdrawalWithoutAccount: {
    summary: 'Withdrawal whose account the customer gives on the hosted page',
    value: {
      orderType: 'Withdrawal',
      amount: 2500,
      walletType: 'TillID',
      merchantOrderRef: 'PAYOUT-2002',
      signature: '02bbce93dfb5f2d953ed52e11da3ba0d',
    },
  },
  integers: {
    summary: 'Enum values as integers (accepted, not recommended)',
    value: {
      orderType: 0,
      amount: 750,
      walletType: 4,
      currency: 0,
      signature: '02d4fbe1bea27faa8706096f0745e18a',
    },
  },
} as const satisfies Record<string, Example>;

// ---- Responses

const CreationData = namedObject('CreationData', {
  orderId,
  orderReference,
  status,
  stage,
  merchantOrderRef,
  paymentPageUrl: Type.String({
    format: 'uri',
    description:
      'The hosted page, pre-signed; it stops working at expiresAt. Send the customer there unchanged and show it to nobody else. A withdrawal needs it only when customerAccountNumber was not sent.',
  }),
  expiresAt: time('15 minutes after creation. For a withdrawal it is not the payout deadline.'),
});

export const Lifecycle = Type.Object(
  {
    stage,
    createdAt: time('When the order was accepted.'),
    awaitingAt: timeOrNull(
      'When it began to wait for a member; null if one was assigned at creation.',
    ),
    assignedAt: timeOrNull('When a member was first assigned.'),
    sentAt: timeOrNull(
      'Deposit: when the customer confirmed the payment. Withdrawal: when the member sent the payout.',
    ),
    approvedAt: timeOrNull('Comes together with completedAt.'),
    rejectedAt: timeOrNull('When the member rejected; together with failedAt.'),
    completedAt: timeOrNull('When the order was settled.'),
    failedAt: timeOrNull('When the order ended without settlement.'),
  },
  { title: 'Lifecycle', description: 'Milestones in ISO 8601 UTC; null while not reached.' },
);

export const StatusData = namedObject('StatusData', {
  orderId,
  orderReference,
  status,
  amount: amountOf('In the order currency.'),
  queuedAt: time('When the order entered the queue.'),
  confirmedAt: timeOrNull('When the order completed successfully.'),
  cancelledAt: timeOrNull(
    'Set for an explicit cancellation only; null for Rejected, Expired and CancelledTimeout.',
  ),
  merchantOrderRef,
  orderType: namedEnum('OrderType', ORDER_TYPES, 'Deposit or Withdrawal.'),
  currency: namedEnum('Currency', CURRENCIES, 'The order currency.'),
  fee: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description:
      'The merchant fee, fixed when the order was accepted (quoted again if the customer paid a deposit with another method); null if no fee applies.',
  }),
  stage,
  lifecycle: Lifecycle,
});

const BalanceData = namedObject('BalanceData', {
  availableBalance: amountOf(
    'Usable now for new withdrawals (amount + fee) and settlements: the wallet balance less reservedBalance.',
  ),
  reservedBalance: amountOf('Amount + fee of the withdrawals still in progress.'),
  frozenBalance: amountOf('Held for settlement requests.'),
  currency: namedEnum('Currency', CURRENCIES, 'Merchant wallets are held in PKR.'),
});

const CREATED = '2026-03-14T09:26:53.589Z';
const DEPOSIT = {
  orderId: '019cebab-8995-7a3e-9c41-5d0f6b2a8e17',
  orderReference: 'ORD-20260314092653-7K2M9Q',
};
const WITHDRAWAL = {
  orderId: '019cebcb-d984-71c2-8f06-2b9d4e7a1c53',
  orderReference: 'ORD-20260314100211-0V8XJ3',
};

const page = (order: string, expires: number, token: string) =>
  `https://pay.example/pay/${order}?expires=${expires}&token=${token}`;

const CREATION_EXAMPLES: Examples = {
  deposit: {
    summary: 'Deposit with a member assigned',
    value: {
      data: {
        ...DEPOSIT,
        status: 'Queued',
        stage: 'Assigned',
        merchantOrderRef: 'INV-1001',
        paymentPageUrl: page(
          DEPOSIT.orderId,
          1773481313,
          'UNhY4JhezH9gQYqvDMWrWH9CwlcKiECVqejMrND2VFw',
        ),
        expiresAt: '2026-03-14T09:41:53.589Z',
      },
    },
  },
  waiting: {
    summary: 'Withdrawal that waits for a member or for the customer’s account',
    value: {
      data: {
        ...WITHDRAWAL,
        status: 'Awaiting',
        stage: 'Awaiting',
        merchantOrderRef: 'PAYOUT-2002',
        paymentPageUrl: page(
          WITHDRAWAL.orderId,
          1773483431,
          'X7FnnghnQFm3LicdiQLBGhJ7tTAbBV3Hf6A5Mq2lalY',
        ),
        expiresAt: '2026-03-14T10:17:11.204Z',
      },
    },
  },
};

const STATUS_EXAMPLES: Examples = {
  completed: {
    summary: 'Completed deposit',
    value: {
      data: {
        ...DEPOSIT,
        status: 'Completed',
        amount: 1500.5,
        queuedAt: CREATED,
        confirmedAt: '2026-03-14T09:31:40.118Z',
        cancelledAt: null,
        merchantOrderRef: 'INV-1001',
        orderType: 'Deposit',
        currency: 'PKR',
        fee: 30.01,
        stage: 'Completed',
        lifecycle: {
          stage: 'Completed',
          createdAt: CREATED,
          awaitingAt: null,
          assignedAt: CREATED,
          sentAt: '2026-03-14T09:29:02.750Z',
          approvedAt: '2026-03-14T09:31:40.118Z',
          rejectedAt: null,
          completedAt: '2026-03-14T09:31:40.118Z',
          failedAt: null,
        },
      },
    },
  },
  inProgress: {
    summary: 'Withdrawal in progress, without a fee',
    value: {
      data: {
        ...WITHDRAWAL,
        status: 'AwaitingMemberPayout',
        amount: 2500,
        queuedAt: '2026-03-14T10:02:11.204Z',
        confirmedAt: null,
        cancelledAt: null,
        merchantOrderRef: 'PAYOUT-2002',
        orderType: 'Withdrawal',
        currency: 'PKR',
        fee: null,
        stage: 'Assigned',
        lifecycle: {
          stage: 'Assigned',
          createdAt: '2026-03-14T10:02:11.204Z',
          awaitingAt: '2026-03-14T10:02:11.204Z',
          assignedAt: '2026-03-14T10:06:30.002Z',
          sentAt: null,
          approvedAt: null,
          rejectedAt: null,
          completedAt: null,
          failedAt: null,
        },
      },
    },
  },
};

const BALANCE_EXAMPLES: Examples = {
  balance: {
    summary: 'A wallet of 250000.4999 with one withdrawal in progress',
    value: {
      data: {
        availableBalance: 247450.4999,
        reservedBalance: 2550,
        frozenBalance: 10000,
        currency: 'PKR',
      },
    },
  },
};

// ---- Refusals

const withdrawalMethods = WITHDRAWAL_METHODS.join(', ');

/** Validation messages, given together when several apply. */
const VALIDATION_EXAMPLES = {
  amountNotPositive: message(
    'Amount zero, negative or not sent',
    "'Amount' must be greater than '0'.",
  ),
  amountPrecision: message(
    'Amount too precise or too large',
    'Amount must have at most 4 decimal places and be less than 100,000,000,000,000.',
  ),
  exponent: message('A number with an exponent', 'Amount must be written without an exponent.'),
  depositOnlyMethod: message(
    'A deposit-only method on a withdrawal',
    `ProviderAQR is a deposit-only payment method. A withdrawal's walletType must be one of: ${withdrawalMethods}.`,
  ),
  currency: message('Unknown currency', `Currency must be one of: ${CURRENCIES.join(', ')}.`),
  tooLong: message(
    'A value that is too long',
    "The length of 'Customer Account Number' must be 50 characters or fewer. You entered 51 characters.",
  ),
  nullCharacter: message(
    'A null character in a text',
    "'Customer Reference' must not contain a null character.",
  ),
  nameWithoutNumber: message(
    'A name without an account',
    'CustomerAccountName can only be sent together with CustomerAccountNumber.',
  ),
  callbackUrl: message(
    'A URL that is not absolute http(s)',
    'CallbackUrl must be a valid absolute http(s) URL.',
  ),
  successUrl: message(
    'The same for successUrl',
    'SuccessUrl must be a valid absolute http(s) URL.',
  ),
  failureUrl: message(
    'The same for failureUrl',
    'FailureUrl must be a valid absolute http(s) URL.',
  ),
  txnRefDigitsRequired: message(
    'Digits out of range',
    "'Txn Ref Digits Required' must be between 4 and 8. You entered 9.",
  ),
  maxRetryCount: message(
    'Retries out of range',
    "'Max Retry Count' must be between 0 and 10. You entered 11.",
  ),
  several: message(
    'Several at once',
    "'Amount' must be greater than '0'.; Currency must be one of: PKR, INR, BDT.",
  ),
} as const satisfies Record<string, Example>;

const BINDING_EXAMPLES = {
  missingIdempotencyKey: {
    summary: 'No Idempotency-Key',
    value: problemExample(400, 'One or more fields could not be read.', {
      'Idempotency-Key': [
        `The Idempotency-Key header is required. Send a unique text of at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters per order.`,
      ],
    }),
  },
  unknownValues: {
    summary: 'orderType missing, walletType unknown, amount of the wrong type',
    value: problemExample(400, 'One or more fields could not be read.', {
      '$.orderType': [`orderType is required; send one of: ${ORDER_TYPES.join(', ')}.`],
      '$.amount': ['amount must be a JSON number, without quotes.'],
      '$.walletType': [`walletType is unknown; send one of: ${WALLET_TYPES.join(', ')}.`],
    }),
  },
} as const satisfies Record<string, Example>;

const signatureExamples = (statusCode: 401 | 413): Examples =>
  Object.fromEntries(
    SIGNATURE_CODES.filter((code) => (code === 'PAYLOAD_TOO_LARGE') === (statusCode === 413)).map(
      (code) => [code, { summary: code, value: signatureErrorExample(code) }],
    ),
  );

const disabled = (method: WalletType, orderType: OrderType) =>
  message(
    `${orderType}s by a method that is not enabled`,
    `${method} ${orderType.toLowerCase()}s are disabled for this merchant.`,
  );

/** Every answer of `POST /api/merchant/orders`. */
export const CREATION_RESPONSES: Readonly<Record<string, ResponseDescription>> = {
  200: answer(
    'The order, new or, for a repeated Idempotency-Key with the same terms, the original one with its current status and stage. An order for which no member is available is accepted as `Awaiting`.',
    dataOf(CreationData, 'CreationResponse'),
    CREATION_EXAMPLES,
  ),
  400: {
    description:
      'The request cannot be bound (problem details, all binding errors at once), or a value is not valid (a single message).',
    content: {
      'application/json': { schema: SingleMessage, examples: VALIDATION_EXAMPLES },
      'application/problem+json': { schema: ProblemDetails, examples: BINDING_EXAMPLES },
    },
  },
  401: answer(
    'The API key is missing, unknown or revoked (an empty body), or the signature does not hold (a code to branch on).',
    SignatureError,
    signatureExamples(401),
  ),
  403: refusal('The account is not active, or the caller’s address is not on its whitelist.', {
    suspended: message(
      'Account not active',
      'Merchant account is suspended; new orders are not accepted.',
    ),
    address: message('Address not on the whitelist', 'IP not in whitelist.'),
  }),
  409: refusal('The merchantOrderRef belongs to an order in progress or completed.', {
    liveReference: message(
      'Reference in use',
      `merchantOrderRef 'INV-1001' is already used by order ${DEPOSIT.orderReference}. Reuse the same Idempotency-Key to retry a request, or use a new reference for a new payment.`,
    ),
  }),
  413: answer(
    'The body is larger than 64 KB (65,536 bytes).',
    SignatureError,
    signatureExamples(413),
  ),
  422: refusal(
    'The method is not enabled, the wallet does not fund the withdrawal, or the Idempotency-Key belongs to other terms.',
    {
      depositMethod: disabled('ProviderB', 'Deposit'),
      withdrawalMethod: disabled('BankAccount', 'Withdrawal'),
      insufficientBalance: message(
        'Not enough available balance',
        'Insufficient merchant balance: 1200 PKR available, 2550 PKR required for this withdrawal (amount + fee).',
      ),
      insufficientBalanceReserved: message(
        'Not enough, with withdrawals in progress',
        'Insufficient merchant balance: 1200 PKR available, 2550 PKR required for this withdrawal (amount + fee). 5100 PKR is reserved by withdrawals in progress.',
      ),
      keyReused: message(
        'Idempotency-Key used for other terms',
        'This Idempotency-Key was already used for a different order request.',
      ),
    },
  ),
  ...FAILURES,
};

/** What answers with the order's status. */
export const STATUS_FOUND = answer(
  'The order.',
  dataOf(StatusData, 'StatusResponse'),
  STATUS_EXAMPLES,
);

/** Every answer of `GET /api/merchant/orders/{id}/status`. */
export const STATUS_BY_ID_RESPONSES: Readonly<Record<string, ResponseDescription>> = {
  200: STATUS_FOUND,
  401: UNAUTHENTICATED,
  404: NOT_FOUND,
  ...FAILURES,
};

/** Every answer of `GET /api/merchant/orders/status`. */
export const STATUS_BY_REFERENCE_RESPONSES: Readonly<Record<string, ResponseDescription>> = {
  200: STATUS_FOUND,
  400: refusal('Exactly one of the two references must be sent, once, within its length.', {
    neither: message(
      'Neither is sent, or both are empty',
      'Provide an orderId, an orderReference or a merchantOrderRef.',
    ),
    both: message(
      'Both are sent',
      'Provide either an orderReference or a merchantOrderRef, not both.',
    ),
    tooLong: message(
      'Too long',
      "The length of 'Merchant Order Ref' must be 200 characters or fewer. You entered 201 characters.",
    ),
  }),
  401: UNAUTHENTICATED,
  404: NOT_FOUND,
  ...FAILURES,
};

/** Every answer of `GET /api/merchant/orders/balance`. */
export const BALANCE_RESPONSES: Readonly<Record<string, ResponseDescription>> = {
  200: answer(
    'The balances, of one moment.',
    dataOf(BalanceData, 'BalanceResponse'),
    BALANCE_EXAMPLES,
  ),
  401: UNAUTHENTICATED,
  404: refusal('The API key was revoked while the request was in flight.', {
    revoked: message('Key revoked meanwhile', 'API key not found or inactive.'),
  }),
  ...FAILURES,
};

import { randomUUID } from 'node:crypto';
import type { TestMerchant } from '../support/fixtures.ts';
import type { MemberClient } from '../support/member-client.ts';
import { postOrder } from '../support/merchant-client.ts';
import type { OperatorClient } from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import { type Cast, feeRuleBody, type Site } from './cast.ts';
import { plain, units } from './model/arithmetic.ts';
import type { Create } from './model/creation.ts';
import { type CustomerAct, digitsOf } from './model/customer.ts';
import { sentOf as amountSentOf, type CustomerNoteAbout } from './model/customer-says.ts';
import type { Act, Write } from './model/index.ts';
import type { MemberAct } from './model/member.ts';
import { arrivedOf } from './model/money.ts';
import type { SetupAct } from './model/operator.ts';
import type { Cause, Model } from './model/state.ts';
import { Divergence } from './picture.ts';

/** What the service answered, in the model's words. */
export interface Answered {
  readonly answer: 'ok' | 'pending' | Cause;
  readonly text?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the answer's data, of every face
  readonly data?: any;
  /** Of what an operator did under an Idempotency-Key: the whole answer. */
  readonly whole?: string;
}

const PAGE_ACTS = [
  'open',
  'switch',
  'payer',
  'confirm-payment',
  'account',
  'cancel-by-customer',
  'customer-note',
];
export const isPageAct = (act: Act): act is CustomerAct => PAGE_ACTS.includes(act.act);
const MEMBER_ACTS = [
  'member-confirm',
  'member-reject',
  'member-report',
  'member-release',
  'member-note',
  'member-money-seen',
  'member-sending',
  'member-seen',
  'evidence',
];
const isMemberAct = (act: Act): act is MemberAct => MEMBER_ACTS.includes(act.act);

/** Does it over HTTP, at one of the server processes. */
export async function ask(
  cast: Cast,
  model: Model,
  act: Act,
  site: Site,
  key: string = randomUUID(),
): Promise<Answered> {
  if (act.act === 'create') return askCreation(cast, act, site);
  if (isPageAct(act)) return askPage(cast, model, act, site);
  if (act.act === 'presence') return askPresence(act, site);
  const write = act.act === 'again' ? model.writes[act.write]?.act : act;
  if (write !== undefined && isMemberAct(write)) {
    const sent = sentOf(cast, model, write);
    const { status, text, json } = await (site.clients[write.member] as MemberClient).raw(
      'POST',
      sent.path,
      bodyOf(sent, act),
      key,
    );
    return { ...answeredBy(status, text, json?.data), whole: text };
  }
  if (write !== undefined && 'operator' in write)
    return askWrite(
      writeOf(cast, model, write),
      site.operators[write.operator] as OperatorClient,
      key,
      act,
    );
  return askSetup(cast, act, site);
}

const asWritten = (JSON as unknown as { rawJSON(text: string): object }).rawJSON;

function creationBody(
  { receiver }: Cast,
  { terms, digits, retries, callback, body }: Create,
): Readonly<Record<string, unknown>> {
  return {
    orderType: terms.kind,
    amount: asWritten(terms.amount),
    walletType: terms.method,
    currency: terms.currency,
    merchantOrderRef: terms.reference,
    customerReference: body.slice(body.lastIndexOf(' ') + 1),
    customerAccountNumber: terms.account,
    customerAccountName: terms.accountName,
    callbackUrl: callback ? `${receiver.url}/own` : null,
    txnRefDigitsRequired: digits,
    maxRetryCount: retries,
  };
}

async function askCreation(cast: Cast, act: Create, { url }: Site): Promise<Answered> {
  const merchant = { ...(cast.keys[act.key] as TestMerchant), url };
  const { status, text, json } = await postOrder(merchant, creationBody(cast, act), {
    idempotencyKey: act.idempotencyKey,
  });
  if (status === 200) return { answer: 'ok', data: json.data };
  if (status === 401)
    return {
      answer:
        text === ''
          ? 'key'
          : json.code === 'SIGNATURE_REPLAYED'
            ? 'replayed'
            : unknown(status, text),
    };
  const error = String(json?.error);
  if (status === 403) return { answer: 'inactive', text: error };
  if (status === 409) return { answer: 'reference' };
  if (status !== 422) return unknown(status, text);
  if (error.includes('too small')) return { answer: 'small', text: error };
  return {
    answer: error.startsWith('Insufficient')
      ? 'funds'
      : error.includes('disabled')
        ? 'method'
        : 'terms',
    text: error,
  };
}

function unknown(status: number, text: string): never {
  throw new Divergence(`answered ${status}: ${text}`);
}

const CAUSES: Readonly<Record<number, Cause>> = {
  400: 'input',
  403: 'inactive',
  404: 'not-found',
  409: 'state',
  410: 'expired',
  422: 'beyond',
};

function answeredBy(status: number, text: string, data: unknown): Answered {
  if (status === 200)
    return {
      answer: (data as { status?: string }).status === 'pendingApproval' ? 'pending' : 'ok',
      data,
    };
  const cause = CAUSES[status] ?? unknown(status, text);
  if (/another operator|role approver/i.test(text)) return { answer: 'same-operator' };
  return { answer: text.includes('Nobody can receive') ? 'nobody' : cause };
}

async function askPage(
  { pages }: Cast,
  model: Model,
  act: CustomerAct,
  { url }: Site,
): Promise<Answered> {
  const link = pages[act.order] as string;
  const page = openPage({ paymentPageUrl: `${url}${link.slice(link.indexOf('/pay/'))}` });
  const { status, text, json } = await page.post(...pageAction(model, act));
  return answeredBy(status, text, json?.data);
}

function pageAction(model: Model, act: CustomerAct): [action: string, body: object] {
  switch (act.act) {
    case 'open':
      return ['open', {}];
    case 'switch':
      return ['method', { walletType: act.method }];
    case 'payer':
      return [
        'payer',
        act.valid
          ? { accountNumber: '03001234', ibanLast4: '1234' }
          : { accountNumber: 'none', ibanLast4: '12' },
      ];
    case 'confirm-payment':
      return ['confirm', { transactionDigits: digitsOf(act.digits) }];
    case 'account':
      return ['account', { accountNumber: act.valid ? '0301' : ' ', accountName: 'C. Customer' }];
    case 'cancel-by-customer':
      return ['cancel', {}];
    case 'customer-note':
      return ['add', noteOf(model, act.order, act.about)];
  }
}

function noteOf(model: Model, order: number, about: CustomerNoteAbout): object {
  if (about.kind === 'correctedDigits') return { correctedDigits: about.digits };
  if (about.kind === 'paidBy') return { paidBy: about.name };
  const { amount } = model.orders[order] ?? { amount: 0n };
  return { amountSent: plain(amountSentOf({ amount }, about.more)) };
}

/** What a member sends. */
function sentOf({ orderIds, pictures }: Cast, model: Model, act: MemberAct): Sent {
  const path = `/orders/${orderIds[act.order]}`;
  const { kind, amount: text } = model.orders[act.order]?.terms ?? { kind: 'Deposit', amount: '0' };
  const amount = units(text);
  const reason = (past: string) => JSON.stringify({ reason: `${past} by the member` });
  const received = (units: bigint) => `"receivedAmount":${plain(units)}`;
  switch (act.act) {
    case 'member-confirm':
      return post(
        `${path}/confirm`,
        act.amount === null ? '{}' : `{${received(arrivedOf(act.amount, kind, amount))}}`,
      );
    case 'member-reject':
      return post(`${path}/reject`, reason('rejected'));
    case 'member-report':
      return post(`${path}/report`, reason('reported'));
    case 'member-release':
      return post(`${path}/release`, reason('released'));
    case 'member-note':
      return post(
        `${path}/note`,
        `{${received(amount + BigInt(act.more))}${act.text === '' ? '' : `,"note":"${act.text}"`}}`,
      );
    case 'member-money-seen':
      return post(`${path}/money-seen`, {});
    case 'member-sending':
      return post(`${path}/sending`, {});
    case 'member-seen':
      return post(`${path}/seen`, {});
    case 'evidence':
      return post(`${path}/evidence`, { kind: 'confirm', picture: pictures[act.picture] });
  }
}

async function askPresence(
  { member, online }: SetupAct & { act: 'presence' },
  { clients }: Site,
): Promise<Answered> {
  const { status, text, json } = await (clients[member] as MemberClient).call('POST', '/presence', {
    online,
  });
  return answeredBy(status, text, json?.data);
}

/** A write of an operator or a member as it is sent. */
interface Sent {
  readonly method: 'post' | 'patch';
  readonly path: string;
  readonly body: string;
}

async function askWrite(sent: Sent, by: OperatorClient, key: string, act: Act): Promise<Answered> {
  const { status, text, data } = await by[sent.method](sent.path, bodyOf(sent, act), key);
  return { ...answeredBy(status, text, data), whole: text };
}

/** A repeat that is changed says why in other words. */
const bodyOf = ({ body }: Sent, act: Act) =>
  act.act === 'again' && act.changed ? body.replace(/"(reason|note)":"/, '$&other ') : body;

const post = (path: string, body: object | string) =>
  ({ method: 'post', path, body: typeof body === 'string' ? body : JSON.stringify(body) }) as const;

function writeOf(cast: Cast, _model: Model, act: Write): Sent {
  const { members, orderIds, merchantIds, requestIds, admins } = cast;
  const patch = (path: string, body: object | string) =>
    ({ ...post(path, body), method: 'patch' }) as const;
  const order = 'order' in act ? `/orders/${orderIds[act.order]}` : '';
  const named = (member: string | null) =>
    member === null ? {} : { memberId: members[member]?.memberId };
  switch (act.act) {
    case 'operator-cancel':
      return post(`${order}/cancel`, { note: 'cancelled by the operator' });
    case 'operator-escalate':
      return post(`${order}/escalate`, { note: 'escalated' });
    case 'operator-resolve':
      return post(`${order}/resolve`, {
        outcome: act.outcome,
        note: 'resolved by the operator',
        ...named(act.member),
      });
    case 'operator-confirm':
      return post(`${order}/confirm`, { note: 'it came', ...named(act.member) });
    case 'float':
      return post(
        `/members/${members[act.member]?.memberId}/float-adjustments`,
        `{"amount":${act.amount},"reason":"float"}`,
      );
    case 'adjust':
      return post(
        `/merchants/${merchantIds[act.merchant]}/adjustments`,
        `{"kind":"${act.change}","amount":${act.amount},"reason":"adjustment"}`,
      );
    case 'approve':
      return post(`/approvals/${requestIds[act.request] ?? randomUUID()}/approve`, {});
    case 'decline':
      return post(`/approvals/${requestIds[act.request] ?? randomUUID()}/decline`, {
        note: 'declined',
      });
    case 'settings': {
      const limit = act.limit === undefined ? [] : [`"adjustmentApprovalLimit":${act.limit}`];
      const required =
        act.required === undefined ? [] : [`"requireSecondOperator":${act.required}`];
      return patch('/settings', `{${[...limit, ...required].join()}}`);
    }
    case 'operator-status':
      return patch(`/operators/${admins[0]?.operatorId}`, {
        status: act.active ? 'active' : 'suspended',
      });
  }
}

async function askSetup(cast: Cast, act: Act, { operators }: Site): Promise<Answered> {
  const { merchantIds, members, accountIds, keys } = cast;
  const [one] = operators;
  const done = ({ status, text, data }: { status: number; text: string; data: unknown }) =>
    answeredBy(status, text, data);
  switch (act.act) {
    case 'member-status':
      return done(
        await agreed(operators, () =>
          one.patch(`/members/${members[act.member]?.memberId}`, {
            status: act.active ? 'active' : 'suspended',
          }),
        ),
      );
    case 'member-account': {
      const path = `/member-accounts/${accountIds[act.account]}`;
      return done(
        await agreed(operators, () => one.post(`${path}/${act.approved ? 'approve' : 'suspend'}`)),
      );
    }
    case 'capacity':
      return done(
        await one.patch(`/members/${members[act.member]?.memberId}`, {
          maxOpenOrders: act.maxOpenOrders,
        }),
      );
    case 'merchant-status':
      return done(
        await agreed(operators, () =>
          one.patch(`/merchants/${merchantIds[act.merchant]}`, {
            status: act.active ? 'active' : 'suspended',
          }),
        ),
      );
    case 'merchant-methods':
      return done(
        await one.patch(`/merchants/${merchantIds[act.merchant]}`, {
          [act.kind === 'Deposit' ? 'depositMethods' : 'withdrawalMethods']: act.methods,
        }),
      );
    case 'revoke-key':
      return done(
        await one.delete(
          `/merchants/${merchantIds[act.merchant]}/api-keys/${keys[act.key]?.keyId}`,
        ),
      );
    case 'rate':
      return done(
        await agreed(operators, () =>
          one.post('/exchange-rates', `{"currency":"${act.currency}","rate":${act.rate}}`),
        ),
      );
    case 'fee-rule':
      return done(
        await agreed(operators, () => one.post('/fee-rules', feeRuleBody(cast, act.rule))),
      );
    default:
      throw new Error(`${act.act} is not asked over HTTP`);
  }
}

/** What two operators do together where one may not: asked for again until it is what was approved. */
async function agreed(
  [, two]: Site['operators'],
  ask: () => ReturnType<OperatorClient['post']>,
): Promise<Awaited<ReturnType<OperatorClient['post']>>> {
  for (;;) {
    const asked = await ask();
    if (asked.data?.status !== 'pendingApproval') return asked;
    const approved = await two.post(`/approvals/${asked.data.approvalId}/approve`);
    if (approved.status !== 409) return approved;
  }
}

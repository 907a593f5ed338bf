import { hash, randomUUID } from 'node:crypto';
import {
  createApiKey,
  createMember,
  createMerchant,
  type TestMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { type MemberClient, memberClient } from '../support/member-client.ts';
import { get, postOrder } from '../support/merchant-client.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
  secondOperator,
  type TestOperator,
} from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import { type Receiver, signatureOf, startReceiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';
import { expectSound } from '../support/verify.ts';
import { plain, units } from './model/arithmetic.ts';
import type { Create } from './model/creation.ts';
import { type CustomerAct, isShown } from './model/customer.ts';
import { type Act, perform, type Write } from './model/index.ts';
import type { MemberAct } from './model/member.ts';
import type { SetupAct } from './model/operator.ts';
import { type Cause, type Follow, type Model, no, type Verdict } from './model/state.ts';
import { elapse, leaveWithdrawn } from './model/time.ts';
import {
  Divergence,
  expectAnswer,
  expectOrder,
  expectSame,
  followed,
  memberPicture,
  merchantPicture,
  orderPicture,
  type Picture,
  requestPicture,
  settingsPicture,
} from './picture.ts';
import type { Subject } from './run.ts';
import { type Rows, readRows } from './server-rows.ts';
import { modelOf, type Setup } from './setup.ts';

/** What the service answered, in the model's words. */
export interface Answered {
  readonly answer: 'ok' | 'pending' | Cause;
  readonly text?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the answer's data, of every face
  readonly data?: any;
  /** Of what an operator did under an Idempotency-Key: the whole answer. */
  readonly whole?: string;
}

/** A server process, with clients that talk to it. */
export interface Site {
  readonly url: string;
  readonly operators: readonly [OperatorClient, OperatorClient, OperatorClient];
  /** Members by name. */
  readonly clients: Readonly<Record<string, MemberClient>>;
}

/** Who stands for the model's names, and the service itself. */
export interface Cast {
  readonly service: Service;
  readonly site: Site;
  readonly receiver: Receiver;
  /** By key: each with its merchant. */
  readonly keys: Readonly<Record<string, TestMerchant>>;
  readonly merchantIds: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, TestMember & { readonly token: string }>>;
  readonly accountIds: Readonly<Record<string, string>>;
  readonly orderIds: string[];
  readonly pages: string[];
  /** Requests for a second operator, by the model's number. */
  readonly requestIds: string[];
  /** The operator who is suspended and reinstated, beside the two of the environment. */
  readonly third: TestOperator;
}

/**
 * The service over HTTP on a database of its own: one server, or two that take turns. The process's
 * `Date` stands still, so that the sandbox clock moves by advances alone.
 */
export async function serverSubject(setup: Setup): Promise<Subject> {
  const service = await startService();
  const other =
    setup.servers === 2 ? await startService({ PUBLIC_URL: service.url }, service) : undefined;
  const receiver = await startReceiver();
  const cast = await castFor(service, receiver, setup);
  const model = modelOf(setup);
  const sites = other === undefined ? [cast.site] : [cast.site, siteOf(service, other.url, cast)];
  const pair: Pair = { cast, sites, model, revokedAt: new Map(), written: [], asked: 0 };
  return {
    model,
    async elapse(until) {
      // The clock advances by whole seconds, and has advanced by one since the last act.
      const seconds = Math.floor((until - model.now) / 1_000);
      if (seconds <= 0) return;
      await advanceAll(sites, seconds);
      const rows = await readRows(cast);
      elapse(model, model.now + seconds * 1_000, following(cast, model, rows));
      compare(cast, model, rows);
    },
    perform: (act) => step(pair, act),
    async finish() {
      await compareFaces(cast, model);
      expectWebhooks(pair, await readRows(cast));
      await expectSound(service);
    },
    async close() {
      await other?.close();
      await service.close();
      await receiver.close();
    },
  };
}

interface Pair {
  readonly cast: Cast;
  /** The server processes: acts go to one after the other. */
  readonly sites: readonly Site[];
  readonly model: Model;
  readonly revokedAt: Map<string, number>;
  /** Keys and answers of the model's writes. */
  readonly written: { readonly key: string; readonly whole: string | undefined }[];
  asked: number;
}

/**
 * After each act the background work runs, and time moves on, so that no two orders are of one
 * moment.
 */
const ACT_SECONDS = 1;

/** Acts of the clock are left to the service's own jobs. */
const isClockAct = ({ act }: Act) => act === 'deadline' || act === 'assign' || act === 'withdraw';

async function step(pair: Pair, act: Act): Promise<Verdict> {
  const { cast, sites, model, revokedAt } = pair;
  if (isClockAct(act)) return no('ok');
  const key = act.act === 'again' ? pair.written[act.write]?.key : randomUUID();
  if (key === undefined) return no('ok');
  const { answer, text, data, whole } = await ask(
    cast,
    model,
    act,
    sites[pair.asked % sites.length] as Site,
    key,
  );
  pair.asked += 1;
  await advanceAll(sites, ACT_SECONDS);
  const rows = await readRows(cast);
  if (act.act === 'create' && answer === 'ok' && !cast.orderIds.includes(data.orderId))
    cast.orderIds[model.orders.length] = data.orderId;
  const follow = following(cast, model, rows);
  const verdict = verdictOf(model, act, follow);
  expectAnswer(verdict, answer, act.act === 'create' ? text : undefined);
  if (model.requests.length > cast.requestIds.length) cast.requestIds.push(data.approvalId);
  if (model.writes.length > pair.written.length) pair.written.push({ key, whole });
  if (
    act.act === 'again' &&
    !act.changed &&
    answer !== 'inactive' &&
    whole !== pair.written[act.write]?.whole
  ) {
    throw new Divergence(`answered ${whole}, and at first ${pair.written[act.write]?.whole}`);
  }
  if (act.act === 'revoke-key') revokedAt.set(act.key, revokedAt.get(act.key) ?? model.now);
  if (act.act === 'create' && verdict.order !== undefined) {
    expectOrder(cast.orderIds, verdict.order, data.orderId);
    cast.pages[verdict.order.number] ??= data.paymentPageUrl;
    const { status, stage, expiresAt, reference } = orderPicture(verdict.order);
    const answered = {
      status: data.status,
      stage: data.stage,
      expiresAt: Date.parse(data.expiresAt),
      reference: data.merchantOrderRef,
      page: data.paymentPageUrl,
    };
    expectSame(`the answer about order ${verdict.order.number}`, answered, {
      status,
      stage,
      expiresAt,
      reference,
      page: cast.pages[verdict.order.number] ?? null,
    });
  }
  if (act.act === 'member-status' || act.act === 'member-account') leaveWithdrawn(model, follow);
  elapse(model, model.now + ACT_SECONDS * 1_000, follow);
  compare(cast, model, rows);
  return verdict;
}

/** The verdict over HTTP: closed pages are met before the rules are. */
export function verdictOf(model: Model, act: Act, follow: Follow): Verdict {
  if (
    'order' in act &&
    isPageAct(act) &&
    !isShown(model, model.orders[act.order] as Model['orders'][number])
  )
    return no('expired');
  return perform(model, act, follow);
}

const PAGE_ACTS = ['open', 'switch', 'payer', 'confirm-payment', 'account', 'cancel-by-customer'];
const isPageAct = (act: Act): act is CustomerAct => PAGE_ACTS.includes(act.act);
const MEMBER_ACTS = [
  'member-confirm',
  'member-reject',
  'member-report',
  'member-release',
  'presence',
];
const isMemberAct = (act: Act): act is MemberAct | (SetupAct & { act: 'presence' }) =>
  MEMBER_ACTS.includes(act.act);

const advance = async ({ operators }: Site, seconds: number): Promise<void> => {
  const { status, text } = await operators[0].post('/clock/advance', { seconds });
  if (status !== 200) throw new Error(`advancing answered ${status}: ${text}`);
};

/** Advances the one clock that all have; each has it when this is over. */
export async function advanceAll(sites: readonly Site[], seconds: number): Promise<void> {
  for (const [at, site] of sites.entries()) await advance(site, at === 0 ? seconds : 0);
}

/** Follows the service's own record of who got what when. */
function following(cast: Cast, model: Model, rows: Rows): Follow {
  return (order, allowed) => {
    const orderId = cast.orderIds[order.number] ?? '';
    const row = rows.orders.get(orderId);
    if (row?.holderSince === model.now)
      return followed(order, allowed, {
        memberId: rows.nameOf(row.memberId),
        accountId: rows.nameOf(row.accountId),
      });
    // It has changed holders since: the history says whose they were, any account of theirs may have
    // had it.
    const move = rows.moves.findLast(
      (each) => each.orderId === orderId && each.at === model.now && each.memberId !== null,
    );
    const member = rows.nameOf(move?.memberId ?? null);
    const account = allowed
      .filter((holder) => holder.member === member)
      .map((holder) => holder.account)[0];
    return followed(order, allowed, { memberId: member, accountId: account ?? null });
  };
}

export function compare(
  cast: Pick<Cast, 'orderIds' | 'requestIds'>,
  model: Model,
  rows: Rows,
): void {
  if (rows.orders.size !== model.orders.length)
    throw new Divergence(`${rows.orders.size} orders, the model has ${model.orders.length}`);
  for (const order of model.orders) {
    const events = order.events.map(({ reason }) => reason !== null);
    const service: Picture = rows.orderPicture(cast.orderIds[order.number] ?? '', events);
    expectSame(`order ${order.number}`, service, orderPicture(order));
  }
  if (rows.requestCount !== model.requests.length)
    throw new Divergence(`${rows.requestCount} requests, the model has ${model.requests.length}`);
  for (const [number, request] of model.requests.entries()) {
    expectSame(
      `request ${number}`,
      rows.requestPicture(cast.requestIds[number] ?? ''),
      requestPicture(request),
    );
  }
  expectSame('the settings', rows.settings, settingsPicture(model));
  for (const name of Object.keys(model.members))
    expectSame(name, rows.memberPicture(name, model.now), memberPicture(model, name));
  for (const name of Object.keys(model.merchants))
    expectSame(name, rows.merchantPicture(name), merchantPicture(model, name));
}

/** Every order by the merchant's status endpoint, and every balance, as the merchant reads them. */
async function compareFaces({ keys, orderIds }: Cast, model: Model): Promise<void> {
  for (const [name, { keys: own }] of Object.entries(model.merchants)) {
    const key = Object.keys(own).find((each) => own[each]?.revoked === false);
    if (key === undefined) continue;
    const merchant = keys[key] as TestMerchant;
    const { balance: _, ...amounts } = merchantPicture(model, name);
    const told = await get(merchant, '/orders/balance');
    const shown = `{"data":{"availableBalance":${amounts['available']},"reservedBalance":${amounts['reserved']},"frozenBalance":${amounts['frozen']},"currency":"PKR"}}`;
    if (told.text !== shown)
      throw new Divergence(`the balance is told as ${told.text}, the model says ${shown}`);
    for (const order of model.orders.filter((each) => each.merchant === name)) {
      const { text, json } = await get(merchant, `/orders/${orderIds[order.number]}/status`);
      expectSame(
        `order ${order.number} as told`,
        toldPicture(json.data, text),
        pictureToTell(model, order.number),
      );
    }
  }
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

// biome-ignore lint/suspicious/noExplicitAny: an answer's data
function toldPicture({ lifecycle, ...data }: any, text: string): Picture {
  const { orderId: _, orderReference: __, amount: ___, fee: ____, ...told } = data;
  const exact = (name: string) => new RegExp(`"${name}":([^,}]+)`).exec(text)?.[1] ?? null;
  return {
    ...told,
    ...Object.fromEntries(Object.entries(lifecycle).map(([name, at]) => [`lifecycle.${name}`, at])),
    amount: exact('amount'),
    fee: exact('fee'),
  };
}

function pictureToTell(model: Model, number: number): Picture {
  const order = model.orders[number] as Model['orders'][number];
  const { status, stage, reference, orderType, currency, amount, fee } = orderPicture(order);
  const {
    createdAt,
    awaitingAt,
    assignedAt,
    sentAt,
    completedAt,
    rejectedAt,
    failedAt,
    cancelledAt,
  } = order;
  return {
    status,
    stage,
    orderType,
    currency,
    amount,
    fee: fee ?? 'null',
    merchantOrderRef: reference,
    queuedAt: iso(createdAt),
    confirmedAt: iso(completedAt),
    cancelledAt: iso(cancelledAt),
    'lifecycle.stage': stage,
    'lifecycle.createdAt': iso(createdAt),
    'lifecycle.awaitingAt': iso(awaitingAt),
    'lifecycle.assignedAt': iso(assignedAt),
    'lifecycle.sentAt': iso(sentAt),
    'lifecycle.approvedAt': iso(completedAt),
    'lifecycle.rejectedAt': iso(rejectedAt),
    'lifecycle.completedAt': iso(completedAt),
    'lifecycle.failedAt': iso(failedAt),
  };
}

/**
 * Each outcome with an address arrived once, as stored, signed with the secret that was current.
 */
function expectWebhooks({ cast, model, revokedAt }: Pair, rows: Rows): void {
  const arrived = Map.groupBy(cast.receiver.received, ({ headers }) =>
    String(headers['x-svc-delivery-id']),
  );
  const expected = model.orders.flatMap((order) => order.events.map((event) => ({ order, event })));
  if (arrived.size !== expected.length)
    throw new Divergence(`${arrived.size} webhooks arrived, the model says ${expected.length}`);
  for (const delivery of rows.deliveries) {
    const received = arrived.get(delivery.deliveryId) ?? [];
    const order = model.orders[cast.orderIds.indexOf(delivery.orderId)] as Model['orders'][number];
    const revoked = revokedAt.get(order.asked.key);
    // An outcome of the same moment came before: a deadline that had passed when the key was
    // revoked.
    const signer = cast.keys[
      revoked === undefined || delivery.createdAt <= revoked ? order.asked.key : 'shop 1'
    ] as TestMerchant;
    const [one] = received;
    const body = one?.body ?? Buffer.from('');
    const signature = String(one?.headers['x-svc-signature']);
    expectSame(
      `delivery of order ${order.number}`,
      {
        copies: received.length,
        status: delivery.status,
        same: body.equals(delivery.body),
        signature,
      },
      {
        copies: 1,
        status: 'delivered',
        same: true,
        signature: signatureOf(delivery.body, signer.signingSecret),
      },
    );
  }
}

/** Does it over HTTP, at one of the server processes. */
export async function ask(
  cast: Cast,
  model: Model,
  act: Act,
  site: Site,
  key: string = randomUUID(),
): Promise<Answered> {
  if (act.act === 'create') return askCreation(cast, act, site);
  if (isPageAct(act)) return askPage(cast, act, site);
  if (isMemberAct(act))
    return act.act === 'presence' ? askPresence(act, site) : askMember(cast, model, act, site);
  const write = act.act === 'again' ? model.writes[act.write]?.act : act;
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
  if (text.includes('another operator')) return { answer: 'same-operator' };
  return { answer: text.includes('Nobody can receive') ? 'nobody' : cause };
}

async function askPage({ pages }: Cast, act: CustomerAct, { url }: Site): Promise<Answered> {
  const link = pages[act.order] as string;
  const page = openPage({ paymentPageUrl: `${url}${link.slice(link.indexOf('/pay/'))}` });
  const { status, text, json } = await page.post(...pageAction(act));
  return answeredBy(status, text, json?.data);
}

function pageAction(act: CustomerAct): [action: string, body: object] {
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
      return ['confirm', { transactionDigits: '123456789'.slice(0, act.digits) }];
    case 'account':
      return ['account', { accountNumber: act.valid ? '0301' : ' ', accountName: 'C. Customer' }];
    case 'cancel-by-customer':
      return ['cancel', {}];
  }
}

async function askMember(
  cast: Cast,
  model: Model,
  act: MemberAct,
  { clients }: Site,
): Promise<Answered> {
  const client = clients[act.member] as MemberClient;
  const path = `/orders/${cast.orderIds[act.order]}`;
  if (act.act !== 'member-confirm') {
    const action = act.act.slice('member-'.length);
    const past = { reject: 'rejected', report: 'reported', release: 'released' }[action];
    const { status, text, json } = await client.call('POST', `${path}/${action}`, {
      reason: `${past} by the member`,
    });
    return answeredBy(status, text, json?.data);
  }
  const amount = units(model.orders[act.order]?.terms.amount ?? '0');
  const body =
    act.amount === null
      ? '{}'
      : `{"receivedAmount":${plain(act.amount === 'right' ? amount : amount + 1n)}}`;
  const { status, text, json } = await client.raw('POST', `${path}/confirm`, body);
  return answeredBy(status, text, json?.data);
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

/** A write of an operator as it is sent. */
interface Sent {
  readonly method: 'post' | 'patch';
  readonly path: string;
  readonly body: string;
}

async function askWrite(
  { method, path, body }: Sent,
  by: OperatorClient,
  key: string,
  act: Act,
): Promise<Answered> {
  const other = act.act === 'again' && act.changed;
  const { status, text, data } = await by[method](
    path,
    other ? body.replace(/"(reason|note)":"/, '$&other ') : body,
    key,
  );
  return { ...answeredBy(status, text, data), whole: text };
}

function writeOf(cast: Cast, model: Model, act: Write): Sent {
  const { members, orderIds, merchantIds, accountIds, requestIds, third } = cast;
  const post = (path: string, body: object | string) =>
    ({
      method: 'post',
      path,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }) as const;
  const patch = (path: string, body: object | string) =>
    ({ ...post(path, body), method: 'patch' }) as const;
  const order = 'order' in act ? `/orders/${orderIds[act.order]}` : '';
  switch (act.act) {
    case 'operator-cancel':
      return post(`${order}/cancel`, { note: 'cancelled by the operator' });
    case 'operator-escalate':
      return post(`${order}/escalate`, { note: 'escalated' });
    case 'operator-resolve':
      return post(`${order}/resolve`, { outcome: act.outcome, note: 'resolved by the operator' });
    case 'operator-confirm': {
      const member = act.member === null ? {} : { memberId: members[act.member]?.memberId };
      return post(`${order}/${act.approval ? 'confirm/approve' : 'confirm'}`, {
        note: 'it came',
        ...member,
      });
    }
    case 'member-account':
      return post(
        `/member-accounts/${accountIds[act.account]}/${act.approved ? 'approve' : 'suspend'}`,
        '{}',
      );
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
    case 'approve': {
      const id = requestIds[act.request] ?? randomUUID();
      // Adjustments have a path of their own, from before there were other requests.
      const older =
        model.requests[act.request]?.does.kind === 'adjustment' && act.request % 2 === 0;
      return post(older ? `/adjustments/${id}/approve` : `/approvals/${id}/approve`, {});
    }
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
      return patch(`/operators/${third.operatorId}`, {
        status: act.active ? 'active' : 'suspended',
      });
  }
}

async function askSetup(cast: Cast, act: Act, { operators }: Site): Promise<Answered> {
  const { merchantIds, members, keys } = cast;
  const [one] = operators;
  const done = ({ status, text, data }: { status: number; text: string; data: unknown }) =>
    answeredBy(status, text, data);
  switch (act.act) {
    case 'member-status':
      return done(
        await one.patch(`/members/${members[act.member]?.memberId}`, {
          status: act.active ? 'active' : 'suspended',
        }),
      );
    case 'capacity':
      return done(
        await one.patch(`/members/${members[act.member]?.memberId}`, {
          maxOpenOrders: act.maxOpenOrders,
        }),
      );
    case 'merchant-status':
      return done(
        await one.patch(`/merchants/${merchantIds[act.merchant]}`, {
          status: act.active ? 'active' : 'suspended',
        }),
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
        await one.post('/exchange-rates', `{"currency":"${act.currency}","rate":${act.rate}}`),
      );
    case 'fee-rule':
      return done(await one.post('/fee-rules', feeRuleBody(cast, act.rule)));
    default:
      throw new Error(`${act.act} is not asked over HTTP`);
  }
}

function feeRuleBody(
  { merchantIds }: Pick<Cast, 'merchantIds'>,
  rule: (SetupAct & { act: 'fee-rule' })['rule'],
): string {
  const { merchant, kind, method, fixed, percent, minimum, maximum, from, to } = rule;
  const head = `"merchantId":${merchant === null ? null : `"${merchantIds[merchant]}"`},"orderType":"${kind}","walletType":"${method}"`;
  return `{${head},"fixed":${fixed},"percent":${percent},"minimum":${minimum},"maximum":${maximum},"fromAmount":${from},"toAmount":${to}}`;
}

/** Clients for a server process of this service. */
export function siteOf(
  service: Service,
  url: string,
  { members, third }: Pick<Cast, 'members' | 'third'>,
): Site {
  const at = { ...service, url };
  const clients = Object.entries(members).map(
    ([name, { token }]) => [name, memberClient(url, token)] as const,
  );
  return {
    url,
    operators: [operatorClient(at), secondOperator(at), operatorClient(at, third.token)],
    clients: Object.fromEntries(clients),
  };
}

/** Makes the setup's merchants, members and rules in the service. */
export async function castFor(service: Service, receiver: Receiver, setup: Setup): Promise<Cast> {
  const keys: Record<string, TestMerchant> = {};
  const merchantIds: Record<string, string> = {};
  for (const [
    name,
    {
      hook,
      balance,
      keys: [first = '', ...others],
      ...methods
    },
  ] of Object.entries(setup.merchants)) {
    const merchant = await createMerchant(service, {
      ...methods,
      balance,
      name,
      defaultCallbackUrl: hook ? `${receiver.url}/hook` : null,
    });
    merchantIds[name] = merchant.merchantId;
    keys[first] = merchant;
    for (const key of others)
      keys[key] = { ...merchant, ...(await createApiKey(service, merchant.merchantId)) };
  }
  const members: Record<string, Cast['members'][string]> = {};
  const accountIds: Record<string, string> = {};
  for (const [name, { online, maxOpenOrders, float, accounts }] of Object.entries(setup.members)) {
    const methods = Object.values(accounts).map(({ method }) => method);
    const member = await createMember(service, { name, methods, float, maxOpenOrders, online });
    members[name] = { ...member, token: await signedIn(service, member) };
    for (const [at, [account, limits]] of Object.entries(accounts).entries()) {
      accountIds[account] = member.accounts[at]?.accountId ?? '';
      const limited = 'minimum_per_order = $2, maximum_per_order = $3, maximum_per_day = $4';
      const text = `update member_accounts set ${limited}, created_by = 'env-1' where account_id = $1`;
      await service.database.pool.query(text, [
        accountIds[account],
        limits.minimum,
        limits.maximum,
        limits.daily,
      ]);
    }
  }
  const third = await createOperator(service, 'admin');
  const site = siteOf(service, service.url, { members, third });
  const { operators } = site;
  const cast: Cast = {
    service,
    site,
    receiver,
    keys,
    merchantIds,
    members,
    accountIds,
    orderIds: [],
    pages: [],
    requestIds: [],
    third,
  };
  await operators[0].patch(
    '/settings',
    `{"adjustmentApprovalLimit":${setup.limit},"requireSecondOperator":${setup.fourEyes}}`,
  );
  for (const [currency, rate] of Object.entries(setup.rates)) {
    if (currency !== 'PKR')
      await operators[0].post('/exchange-rates', `{"currency":"${currency}","rate":${rate}}`);
  }
  for (const rule of setup.feeRules) await operators[0].post('/fee-rules', feeRuleBody(cast, rule));
  // The run begins with nobody having moved anything that day.
  await service.database.pool.query('update operator_sums set amount = 0');
  return cast;
}

/**
 * A member's session that outlasts every run: signing in is limited and slow, and tested elsewhere.
 */
async function signedIn({ database }: Service, { memberId }: TestMember): Promise<string> {
  const token = randomUUID();
  const text = `insert into sessions (token_hash, kind, principal_id, created_at, expires_at) values ($1, 'member', $2, '2000-01-01', '2100-01-01')`;
  await database.pool.query(text, [Buffer.from(hash('sha256', token), 'hex'), memberId]);
  return token;
}

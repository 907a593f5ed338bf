import { randomUUID } from 'node:crypto';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { beforeEach, expect } from 'vitest';
import { nextCode, withPortalCodes } from '../../support/authenticator.ts';
import { CHANGES } from '../../support/contract.ts';
import { createMember, createMerchant, signInMember } from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { createOperator, operatorClient, secondOperator } from '../../support/operator-client.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { serviceTest } from '../../support/service-test.ts';

/**
 * Every field that an endpoint changes, by its schema: a new one is in here by itself. It is
 * answered and stored, its audit entry has it with its former value, and an approver reads it where
 * it waits.
 */

// biome-ignore lint/suspicious/noExplicitAny: tests compare what they expect
type Row = Record<string, any>;
type Answered = { readonly status: number; readonly text: string; readonly data: Row };

/** What an endpoint changes, made for one test. */
interface Subject {
  change(body: object): Promise<Answered>;
  /** As another request answers it. */
  read(): Promise<Row>;
  /** Of its audit entries. */
  readonly target: string;
  /** Sent with every change: what is changed, or who asks. */
  readonly key?: object;
  /** Changes that wait for an approver: one without the field is sent along. */
  readonly waits?: readonly object[];
}

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const approver = secondOperator(service);
const merchant = await createMerchant(service);
const admin = await createPortalUser(service, merchant, 'admin');
const portal = portalClient(service, admin.token);
const codes = await withPortalCodes(service, portal);
await operator.post('/exchange-rates', { currency: 'INR', rate: 3.2 });

const sql = (text: string) => service.database.pool.query(text);
beforeEach(async () => {
  await sql(
    `update settings
     set require_second_operator = false,
       require_one_time_code = false,
       display_names = '{}'`,
  );
});

const PASSWORD = 'a long enough password';
const patch = (path: string) => (body: object) => operator.patch(path, body) as Promise<Answered>;
const post = (path: string) => (body: object) => operator.post(path, body) as Promise<Answered>;
const read = async (path: string): Promise<Row> => (await operator.get(path)).data;
const ofList = async (path: string, id: string, of: string) =>
  (await operator.get(path)).data.find((one: Row) => one[id] === of);
/** Of the portal or member face. */
const own = async (asked: ReturnType<typeof portal.call>): Promise<Answered> => {
  const { status, text, json } = await asked;
  return { status, text, data: json?.data };
};

const SUBJECTS: Readonly<Record<string, () => Promise<Subject>>> = {
  async CHANGE_ACCOUNT() {
    const { memberId } = await createMember(service, { online: false });
    const account = { walletType: 'TillID', accountNumber: randomUUID(), accountTitle: 'T' };
    const limits = { maximumPerOrder: 500, maximumPerDay: 1000 };
    const body = { ...account, ...limits };
    const { accountId } = (await operator.post(`/members/${memberId}/accounts`, body)).data;
    return {
      change: patch(`/member-accounts/${accountId}`),
      read: async () =>
        (await read(`/members/${memberId}`))['accounts'].find(
          (one: Row) => one['accountId'] === accountId,
        ),
      target: accountId,
      waits: [{ maximumPerOrder: null }, { maximumPerDay: null }],
    };
  },
  async CHANGE_MEMBER() {
    const { memberId } = await createMember(service, { online: false });
    await operator.patch(`/members/${memberId}`, { status: 'suspended' });
    return {
      change: patch(`/members/${memberId}`),
      read: () => read(`/members/${memberId}`),
      target: memberId,
      waits: [{ password: PASSWORD }, { status: 'active' }],
    };
  },
  async CHANGE_MERCHANT() {
    const { merchantId } = await createMerchant(service, { status: 'suspended' });
    return {
      change: patch(`/merchants/${merchantId}`),
      read: () => read(`/merchants/${merchantId}`),
      target: merchantId,
      waits: [{ name: 'Another' }, { displayName: 'Another' }],
    };
  },
  async CHANGE_MERCHANT_ALERT_SETTINGS() {
    const { merchantId } = await createMerchant(service);
    const path = `/merchants/${merchantId}/alert-settings`;
    await operator.patch(path, { alertEmails: ['before@shop.example'], failingWebhooks: true });
    return {
      change: patch(path),
      read: () => read(path),
      target: merchantId,
      waits: [{ alertEmails: [] }, { failingWebhooks: false }],
    };
  },
  async CHANGE_OPERATOR() {
    const { operatorId } = await createOperator(service, 'viewer');
    await operator.patch(`/operators/${operatorId}`, { status: 'suspended' });
    return {
      change: patch(`/operators/${operatorId}`),
      read: () => ofList('/operators?limit=200', 'operatorId', operatorId),
      target: operatorId,
      waits: [{ password: PASSWORD }, { status: 'active' }],
    };
  },
  async CHANGE_PERSON() {
    const { portalUserId } = await createPortalUser(service, merchant, 'viewer');
    await operator.patch(`/portal-users/${portalUserId}`, { status: 'suspended' });
    await nextCode(service);
    return {
      change: (body) => own(portal.call('PATCH', `/people/${portalUserId}`, body)),
      read: async () =>
        (await portal.data('GET', '/people?limit=200')).find(
          (one: Row) => one['portalUserId'] === portalUserId,
        ),
      target: portalUserId,
      key: { oneTimeCode: codes.code() },
    };
  },
  async CHANGE_PORTAL_USER() {
    const { merchantId } = await createMerchant(service);
    const { portalUserId } = await createPortalUser(service, { merchantId }, 'viewer');
    await operator.patch(`/portal-users/${portalUserId}`, { status: 'suspended' });
    return {
      change: patch(`/portal-users/${portalUserId}`),
      read: () => ofList(`/merchants/${merchantId}/portal-users`, 'portalUserId', portalUserId),
      target: portalUserId,
      waits: [
        { role: 'admin', password: PASSWORD },
        { role: 'admin', status: 'active' },
        { password: PASSWORD, status: 'active' },
      ],
    };
  },
  async CHANGE_SETTINGS() {
    const { payoutWindowSeconds } = await read('/settings');
    return {
      change: patch('/settings'),
      read: () => read('/settings'),
      target: 'settings',
      waits: [{ adjustmentApprovalLimit: null }, { payoutWindowSeconds: payoutWindowSeconds - 1 }],
    };
  },
  async CHANGE_VIEW() {
    const view = { name: 'Before', query: 'status=Queued' };
    const { viewId } = (await operator.post('/views', view)).data;
    return {
      change: patch(`/views/${viewId}`),
      read: () => ofList('/views', 'viewId', viewId),
      target: viewId,
    };
  },
  async MEMBER_CHANGE_ACCOUNT() {
    const member = await createMember(service, { online: false, password: PASSWORD });
    const client = memberClient(service.url, await signInMember(service, member, PASSWORD));
    const [account] = member.accounts;
    return {
      change: (body) => own(client.call('PATCH', `/accounts/${account?.accountId}`, body)),
      read: async () =>
        (await client.data('GET', '/accounts')).find(
          (one: Row) => one['accountId'] === account?.accountId,
        ),
      target: String(account?.accountId),
    };
  },
  PORTAL_CHANGE_ALERT_SETTINGS: async () => ({
    change: (body) => own(portal.call('PATCH', '/alert-settings', body)),
    read: () => portal.data('GET', '/alert-settings'),
    target: merchant.merchantId,
  }),
  PORTAL_CHANGE_SETTINGS: async () => ({
    change: (body) => own(portal.call('PATCH', '/settings', body)),
    read: () => portal.data('GET', '/settings'),
    target: merchant.merchantId,
  }),
  async SET_ALERT_CHANNEL() {
    await operator.post('/alert-channels', { position: 'second', url: 'https://before.example/' });
    return {
      change: post('/alert-channels'),
      read: async () => (await read('/alert-channels'))['channels'][0],
      target: 'settings',
      key: { position: 'second' },
    };
  },
  SET_EXCHANGE_RATE: async () => ({
    change: post('/exchange-rates'),
    read: () => ofList('/exchange-rates', 'currency', 'INR'),
    target: 'INR',
    key: { currency: 'INR' },
    waits: [{}],
  }),
};

/** Values that a schema takes and the service refuses, or that are not made from one. */
const LITERALS: Readonly<Record<string, unknown>> = {
  bodyTemplate: '{"text": "changed"}',
  currencies: ['PKR', 'INR'],
  defaultCallbackUrl: 'https://changed.example/hook',
  depositMethods: ['TillID'],
  displayNames: {
    methods: { TillID: 'Till' },
    providers: { Bank: 'Banks' },
    currencies: { BDT: { providers: { ProviderA: 'bKash' } } },
  },
  headers: { 'X-Changed': '1' },
  ipWhitelist: { enabled: true, entries: [{ address: '127.0.0.1', scope: 'Both' }] },
  logo: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  password: 'another long password',
  timeZone: 'Asia/Dhaka',
  url: 'https://changed.example/',
  withdrawalMethods: ['TillID'],
};

/** Another value than before, as the schema takes it. */
function another(name: string, schema: TSchema, before: unknown): unknown {
  if (name in LITERALS) return LITERALS[name];
  const word = `changed-${randomUUID().slice(0, 8)}`;
  const { anyOf = [schema] } = schema as { readonly anyOf?: readonly TSchema[] };
  const declared = anyOf.flatMap(
    (one) => (one as { enum?: unknown[] }).enum ?? (one as { examples?: unknown[] }).examples ?? [],
  );
  const made = [true, false, 75, 76, word, `${word}@shop.example`, [`${word}@shop.example`]];
  const value = [...declared, ...made].find((one) => one !== before && Check(schema, one));
  if (value === undefined) throw new Error(`give ${name} a value in LITERALS`);
  return value;
}

/** How a field is shown where it is not as it was sent: in an answer, in the log and in a request. */
interface ShownAs {
  /** Undefined: not answered. */
  readonly answer?: readonly [name: string, value: unknown];
  readonly log: readonly [name: string, value: unknown];
  readonly request?: readonly [name: string, value: unknown];
}
const SHOWN_AS: Readonly<Record<string, ShownAs>> = {
  headers: { answer: ['headerNames', ['X-Changed']], log: ['headers', 'X-Changed'] },
  logo: {
    answer: ['logo', expect.stringMatching(/^\/pay\/logo\/[0-9a-f]{64}\.webp$/)],
    log: ['logo', expect.stringMatching(/^[0-9a-f]{64}$/)],
  },
  password: {
    log: ['fields', expect.stringMatching(/\bpassword\b/)],
    request: ['password', 'a new one'],
  },
  url: {
    answer: ['origin', 'https://changed.example'],
    log: ['origin', 'https://changed.example'],
  },
};

const written = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
/** Amounts are digits in the log, and numbers in what tests read. */
const loosely = (value: unknown): unknown =>
  typeof value === 'number' ? expect.toSatisfy((one) => String(one) === String(value)) : value;

test('each endpoint that changes something is here', () => {
  expect(CHANGES.map(({ name }) => name).sort()).toEqual(Object.keys(SUBJECTS).sort());
});

/** In the `key` of their subjects. */
const NOT_CHANGED = [
  'CHANGE_PERSON: oneTimeCode',
  'SET_ALERT_CHANNEL: position',
  'SET_EXCHANGE_RATE: currency',
];
const FIELDS = CHANGES.flatMap(({ name, endpoint, properties }) =>
  Object.entries(properties)
    .map(([field, schema]) => ({ name, endpoint, field, schema }))
    .filter(({ field }) => !NOT_CHANGED.includes(`${name}: ${field}`)),
);

/** What a field is to be changed to, and how that is shown. */
async function prepare(
  { name, field, schema }: (typeof FIELDS)[number],
  { isTwo }: { readonly isTwo: boolean },
) {
  const subject = await (SUBJECTS[name] as () => Promise<Subject>)();
  await sql(`update settings set require_second_operator = ${isTwo}`);
  const before = await subject.read();
  const value = another(field, schema, before[field]);
  const {
    answer = field in SHOWN_AS ? undefined : ([field, value] as const),
    log = [field, loosely(written(value))] as const,
    request = log,
  } = SHOWN_AS[field] ?? {};
  /** What it was, as the entry of a changed field has it. */
  const was = field in SHOWN_AS ? {} : { [`${field}Before`]: loosely(written(before[field])) };
  const shownIn = (of: Row) =>
    answer === undefined ? undefined : expect(of).toMatchObject({ [answer[0]]: answer[1] });
  return {
    ...subject,
    body: { ...subject.key, [field]: value },
    before,
    shownIn,
    log,
    request,
    was,
  };
}

test.for(FIELDS)('$name: $field is answered, stored and recorded', async (row) => {
  const { change, read, target, body, shownIn, log, was } = await prepare(row, { isTwo: false });
  const answered = await change(body);
  expect(answered, answered.text).toMatchObject({ status: 200 });
  shownIn(answered.data);
  shownIn(await read());
  const entries = (await operator.get(`/audit-log?target=${target}&limit=10`)).data;
  const entry = entries.find(({ action }: { action: string }) =>
    row.endpoint.audit?.includes(action as never),
  );
  expect(entry?.detail).toMatchObject({ [log[0]]: log[1], ...was });
});

test.for(FIELDS.filter(({ endpoint }) => ['change', 'two'].includes(endpoint.decides?.by ?? '')))(
  '$name: $field is read by an approver, and changed by them',
  async (row) => {
    const {
      change,
      read,
      body,
      before,
      waits = [],
      shownIn,
      request,
      was,
    } = await prepare(row, { isTwo: true });
    const also = waits.find((one) => !(row.field in one));
    const { status, text, data } = await change({ ...also, ...body });
    expect({ status, data }, text).toMatchObject({
      status: 200,
      data: { status: 'pendingApproval' },
    });
    const asked = await approver.get(`/approvals/${data['approvalId']}`);
    expect(asked.data.request).toMatchObject({ [request[0]]: request[1], ...was });
    expect(await read()).toEqual(before);
    const approved = await approver.post(`/approvals/${data['approvalId']}/approve`);
    expect(approved.data, approved.text).toMatchObject({ status: 'done' });
    shownIn(await read());
  },
);

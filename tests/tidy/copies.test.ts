import { readFileSync } from 'node:fs';
import * as api from '@munshi/api';
import {
  ACCOUNT_STATUSES,
  ACTIVE_OR_SUSPENDED,
  ADJUSTMENT_KINDS,
  ADJUSTMENT_STATUSES,
  ALERT_CHANNELS,
  ALERT_KINDS,
  ALERT_STATES,
  ALERT_WAYS,
  APPROVAL_KINDS,
  APPROVAL_STATUSES,
  CLOSING_STATUSES,
  CURRENCIES,
  EVIDENCE_KINDS,
  FOREIGN_CURRENCIES,
  hasFailed,
  hasSucceeded,
  isFinal,
  isLegacy,
  LATE_CLAIM_STATUSES,
  MARK_KINDS,
  MERCHANT_STATUSES,
  METHODS,
  MONEY_KINDS,
  MOVES,
  NOTE_KINDS,
  OPERATOR_ROLES,
  ORDER_ALERT_KINDS,
  ORDER_TYPES,
  PORTAL_ROLES,
  POSTING_KINDS,
  REASON_CODES,
  RECEIVER_ALERT_KINDS,
  RETENTION_KINDS,
  SANDBOX_CARDS,
  SENT_EVENTS,
  SIGNATURE_CODES,
  STATUSES,
  usesCapacity,
  WALLET_TYPES,
} from '@munshi/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SESSION_KINDS } from '../../apps/server/src/people/sessions.store.ts';
import { SETTINGS } from '../../apps/server/src/platform/config/setting.ts';
import { readConfig } from '../../apps/server/src/platform/config.ts';
import { PERSON_KINDS } from '../../apps/server/src/platform/sign-in/person-kinds.ts';
import { COUNTED_SENDS } from '../../apps/server/src/writes/counted-sends.store.ts';
import { PUBLISHED, pageWith } from '../../bench/publish.ts';
import { STATES as CONSOLE_STATES } from '../browser/console/states/index.ts';
import { STATES as PORTAL_STATES } from '../browser/portal/states/index.ts';
import { CHANGES } from '../support/contract.ts';
import { cloneDatabase } from '../support/database.ts';
import { filesOf, read } from './sources.ts';

/**
 * What has to be written twice, because the database, a page or a test cannot import it. Each copy
 * is compared with what it copies; one that is not listed here fails. Metrics are compared with
 * their page where a service has counted them: tests/e2e/service/metrics.test.ts.
 */

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
beforeAll(async () => {
  clone = await cloneDatabase();
});
afterAll(() => clone.drop());

const ENDED = STATUSES.filter((status) => isFinal(status) || isLegacy(status));
const IN_HAND = STATUSES.filter((status) => usesCapacity(status) && status !== 'Awaiting');

/** The constant that each list of values in the schema copies, by its constraint or index. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  adjustments_kind_check: ADJUSTMENT_KINDS,
  adjustments_status_check: ADJUSTMENT_STATUSES,
  alert_channels_position_check: ALERT_CHANNELS,
  // A `write` is stored as `settings`, and waits as `waiting` (engine/rows/approvals.ts).
  approvals_kind_check: APPROVAL_KINDS.filter((kind) => kind !== 'write'),
  approvals_one_pending_each: MONEY_KINDS,
  approvals_open: ['pending', 'approved', 'waiting'],
  approvals_two_operators: ['approved', 'done'],
  approvals_status_check: [...APPROVAL_STATUSES, 'waiting'],
  counted_sends_kind_check: COUNTED_SENDS,
  deliveries_event_type_check: SENT_EVENTS,
  evidence_kind_check: EVIDENCE_KINDS,
  exchange_rates_currency_check: FOREIGN_CURRENCIES,
  fee_rules_order_type_check: ORDER_TYPES,
  closings_status_check: CLOSING_STATUSES,
  late_claims_status_check: LATE_CLAIM_STATUSES,
  member_accounts_currencies_check: CURRENCIES,
  member_accounts_status_check: ACCOUNT_STATUSES,
  members_status_check: ACTIVE_OR_SUSPENDED,
  merchant_alert_messages_channel_check: ALERT_WAYS,
  merchant_alert_messages_state_check: ALERT_STATES,
  merchant_alerts_kind_check: [...ALERT_KINDS, 'test'],
  merchants_status_check: MERCHANT_STATUSES,
  operators_role_check: OPERATOR_ROLES,
  operators_status_check: ACTIVE_OR_SUSPENDED,
  order_alerts_kind_check: ORDER_ALERT_KINDS,
  order_notes_kind: NOTE_KINDS,
  order_notes_told: MARK_KINDS,
  orders_completed: STATUSES.filter(hasSucceeded),
  orders_currency_check: CURRENCIES,
  orders_ended: ENDED,
  orders_ended_account_end: ENDED,
  orders_ended_account_key: ENDED,
  orders_ended_amount: ENDED,
  orders_ended_digits: ENDED,
  orders_ended_reference_end: ENDED,
  orders_ended_short: ENDED,
  orders_ended_transaction: ENDED,
  orders_failed: STATUSES.filter(hasFailed),
  orders_holder: IN_HAND.filter((status) => status !== 'ManualReview'),
  orders_in_hand: IN_HAND,
  orders_in_hand_fractional: IN_HAND,
  orders_method: WALLET_TYPES.filter((method) => METHODS[method].withdrawal),
  orders_of_member: ENDED,
  orders_order_type_check: ORDER_TYPES,
  orders_reason_code: REASON_CODES,
  orders_status_check: STATUSES,
  portal_users_role_check: PORTAL_ROLES,
  portal_users_status_check: ACTIVE_OR_SUSPENDED,
  postings_kind_check: POSTING_KINDS,
  recovery_links_principal_kind_check: PERSON_KINDS,
  request_keys_caller_kind_check: PERSON_KINDS,
  retention_days_kind_check: RETENTION_KINDS,
  sessions_kind_check: SESSION_KINDS,
  webhook_alerts_kind_check: RECEIVER_ALERT_KINDS,
};

test('each list of values in the schema is the constant that the code goes by', async () => {
  const { rows } = await clone.database.pool.query<Record<'name' | 'definition', string>>(
    `select conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'c' and connamespace = current_schema()::regnamespace
     union all
     select indexrelid::regclass::text, pg_get_expr(indpred, indrelid)
     from pg_index join pg_class on pg_class.oid = indexrelid
     where indpred is not null and relnamespace = current_schema()::regnamespace`,
  );
  const stored = rows.flatMap(({ name, definition }) =>
    [...definition.matchAll(/ARRAY\[([^\]]*)\]/g)].map(([, list = '']) => ({
      name,
      values: [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, value]) => value).sort(),
    })),
  );
  const coded = Object.entries(LISTS).map(([name, values]) => ({
    name,
    values: [...values].sort(),
  }));
  const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
    a.name < b.name ? -1 : 1;
  expect(stored.sort(byName)).toEqual(coded.sort(byName));
});

const MERCHANT_FORMS =
  'packages/web-ui/src/merchant/{addresses-form,logo-field,payment-page-form}.tsx';
/** Where the form of each change is: of settings, of a merchant, of a person. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  CHANGE_ACCOUNT: ['apps/console/src/pages/member/member-fields.ts'],
  CHANGE_MEMBER: ['apps/console/src/pages/member/{change-member,member-fields,status-action}.ts*'],
  CHANGE_MERCHANT: ['apps/console/src/pages/merchant/*.tsx', MERCHANT_FORMS],
  CHANGE_MERCHANT_ALERT_SETTINGS: ['packages/web-ui/src/merchant/alerts-form.tsx'],
  CHANGE_OPERATOR: ['apps/console/src/pages/operators/dialogs.tsx'],
  CHANGE_PERSON: ['packages/web-ui/src/merchant/people*.tsx'],
  CHANGE_PORTAL_USER: ['packages/web-ui/src/merchant/people*.tsx'],
  CHANGE_SETTINGS: ['apps/console/src/pages/settings/{change-setting,display-names}.tsx'],
  CHANGE_VIEW: [],
  MEMBER_CHANGE_ACCOUNT: ['apps/member/src/account/*.tsx'],
  PORTAL_CHANGE_ALERT_SETTINGS: ['packages/web-ui/src/merchant/alerts-form.tsx'],
  PORTAL_CHANGE_SETTINGS: ['apps/portal/src/pages/settings/*.tsx', MERCHANT_FORMS],
  SET_ALERT_CHANNEL: ['apps/console/src/pages/settings/alert-channels.tsx'],
  SET_EXCHANGE_RATE: ['apps/console/src/pages/fees/rate-dialog.tsx'],
};

/** What no screen changes: people get a link to choose a password by, and the rest is missing. */
const BY_API_ALONE = [
  'CHANGE_MEMBER: password',
  'CHANGE_PORTAL_USER: password',
  'CHANGE_VIEW: name',
  'CHANGE_VIEW: query',
  'CHANGE_VIEW: shared',
  'MEMBER_CHANGE_ACCOUNT: qrAmount',
];

/** What people read: texts of several words, and what is between tags. */
const PROSE = /'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|(?<!=)>[^<>{}=;()]*[<{]/g;
const withoutProse = (code: string) =>
  code.replaceAll(PROSE, (found) => (found.includes(' ') ? '' : found));

describe('settings', () => {
  test('each that an endpoint changes has a control in its app', () => {
    expect(CHANGES.map(({ name }) => name).sort()).toEqual(Object.keys(FORMS).sort());
    const missing = CHANGES.flatMap(({ name, properties }) => {
      const forms = FORMS[name];
      if (forms === null) return [];
      const form = filesOf(...(forms ?? []))
        .map((file) => withoutProse(read(file)))
        .join('\n');
      return Object.keys(properties)
        .filter((field) => !new RegExp(`\\b${field}\\b`).test(form))
        .map((field) => `${name}: ${field}`);
    });
    expect(missing.sort()).toEqual(BY_API_ALONE);
  });

  describe('of docs/settings.md', () => {
    const rows = [...read('docs/settings.md').matchAll(/^\| (`[A-Z].*?) \| (.+?) \|/gm)].map(
      ([, names = '', preset = '']) => ({
        names: [...names.matchAll(/`([A-Z_0-9…]+)`/g)].map(([, name = '']) => name),
        preset: preset.replaceAll('`', ''),
      }),
    );
    /** Read by the embedded Postgres itself. */
    const EMBEDDED = 'EMBEDDED_PG_USER';

    test('are those that the configuration knows, each once', () => {
      const listed = rows.flatMap(({ names }) =>
        names.flatMap((name) =>
          name.includes('…')
            ? SETTINGS.filter((one) => new RegExp(`^${name.replace('…', '.+')}$`).test(one))
            : [name],
        ),
      );
      expect(read('packages/embedded-postgres/src/account.ts')).toContain(EMBEDDED);
      expect(listed.sort()).toEqual([...SETTINGS, EMBEDDED].sort());
    });

    test('have the presets that the service starts with', () => {
      const config = readConfig({}, []);
      const starts = {
        PORT: config.port,
        HOST: config.host,
        DATABASE_POOL_SIZE: config.poolSize,
        LOG_LEVEL: config.logLevel,
        ROLES: [...config.roles].join(),
      };
      const presetOf = (name: string) => rows.find(({ names }) => names.includes(name))?.preset;
      for (const [name, value] of Object.entries(starts))
        expect(presetOf(name), name).toBe(String(value));
    });
  });
});

describe('pages', () => {
  test('docs/errors.md lists every code (vitest -u writes it)', async () => {
    const rows = Object.entries(api.CODES).map(
      ([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`,
    );
    const page = read('docs/errors.md');
    const table = page.indexOf('| Code |');
    await expect(
      `${page.slice(0, table)}| Code | Status | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`,
    ).toMatchFileSnapshot('../../docs/errors.md');
  });

  test('docs/signing.md lists every code of the signature check', () => {
    const listed = [...read('docs/signing.md').matchAll(/^\| `([A-Z_]+)` \|/gm)];
    expect(listed.map(([, code]) => code)).toEqual(expect.arrayContaining([...SIGNATURE_CODES]));
  });

  test('docs/webhooks.md names every event, and shows an order’s whole', () => {
    const page = read('docs/webhooks.md');
    expect(Object.keys(api.WEBHOOKS).sort()).toEqual([...SENT_EVENTS].sort());
    expect(SENT_EVENTS.filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
    const shown = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
      JSON.stringify(JSON.parse(text)),
    );
    const examples = Object.entries(api.WEBHOOKS)
      .filter(([type]) => type.startsWith('order.'))
      .flatMap(([, { post }]) =>
        Object.values(post.requestBody.content['application/json'].examples),
      );
    expect(examples.filter(({ value }) => !shown.includes(JSON.stringify(value)))).toEqual([]);
  });

  test('docs/performance.md shows the published run (npm run bench -- --report writes it)', () => {
    const page = read('docs/performance.md');
    expect(page).toBe(pageWith(page, JSON.parse(readFileSync(PUBLISHED, 'utf8'))));
  });

  const states = read('docs/states.md');
  const stateSection = (heading: string) =>
    (states.split(`\n${heading}\n`)[1] ?? '').split(/\n#{1,3} /)[0] ?? '';

  test.for([
    ['## Deposits', 'Deposit'],
    ['## Withdrawals', 'Withdrawal'],
  ] as const)('docs/states.md draws every move once and no other: %s', ([heading, orderType]) => {
    const diagram = /```mermaid\nstateDiagram-v2\n([^`]*)\n```/.exec(stateSection(heading));
    const drawn = (diagram?.[1] ?? '').split('\n').map((line) => line.trim());
    const moves = MOVES.filter((move) => move.orderType === orderType).map(
      ({ from, trigger, to }) => `${from ?? '[*]'} --> ${to} : ${trigger.replaceAll('-', ' ')}`,
    );
    expect(drawn.sort()).toEqual(moves.sort());
  });

  test.for(STATUSES.filter((status) => status !== 'Confirmed'))(
    'docs/states.md says where %s leads',
    (status) => {
      const text = stateSection(`### ${status}`);
      const others = STATUSES.filter((other) => other !== status);
      const exits = new Set(MOVES.filter(({ from }) => from === status).map(({ to }) => to));
      expect(others.filter((other) => text.includes(`\`${other}\``))).toEqual(
        others.filter((other) => exits.has(other)),
      );
    },
  );
});

test('docs/testing.md says what each ending does as core does', () => {
  const rows = read('docs/testing.md').matchAll(/^\| `(\d{4})` \| (.+) \|$/gm);
  const plain = (text: string) => text.replaceAll('`', '').replaceAll(/\[(.+?)\]\(.+?\)/g, '$1');
  expect([...rows].map(([, ending, says]) => ({ ending, says: plain(says as string) }))).toEqual(
    SANDBOX_CARDS.map(({ ending, says }) => ({ ending, says })),
  );
});

describe('screens', () => {
  /** Any value of a parameter, in the addresses that states make. */
  const anything = new Proxy({}, { get: () => 'x' });
  const addressesOf = (states: readonly { readonly path: unknown }[]) =>
    states.map(({ path }) => {
      const address = typeof path === 'function' ? path(anything) : path;
      return (String(address).split(/[?#]/)[0] ?? '').replace(/(.)\/$/, '$1');
    });
  const shows = (screen: string) =>
    new RegExp(`^${screen.replaceAll(/\/:\w+\?/g, '(/[^/]+)?').replaceAll(/:\w+/g, '[^/]+')}$`);

  const APPS = [
    { app: 'console', states: addressesOf(CONSOLE_STATES) },
    { app: 'portal', states: addressesOf(PORTAL_STATES) },
  ] as const;

  test.for(APPS)('each of the $app has its states', ({ app, states }) => {
    const list = read(`apps/${app}/src/screens.ts`);
    const paths = [...list.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path);
    expect(paths.length).toBe(list.match(/\bpage: /g)?.length);
    expect(paths.filter((path) => !states.some((state) => shows(path).test(state)))).toEqual([]);
  });

  test.for(APPS)('each tab of the $app has its states', ({ app, states }) => {
    const tabbed = filesOf(`apps/${app}/src/pages/*/page.tsx`).flatMap((file) => {
      const [, path] = /usePathTab\(['`]([^'`]+)['`]/.exec(read(file)) ?? [];
      return path === undefined ? [] : [{ file, path: path.replaceAll(/\$\{(\w+)\}/g, ':$1') }];
    });
    expect(tabbed.length).toBeGreaterThan(2);
    const missing: string[] = [];
    for (const { file, path } of tabbed) {
      const [, table = ''] = /^const TABS = \{$(.*?)^\}/ms.exec(read(file)) ?? [];
      const [first, ...others] = [...table.matchAll(/^ {2}'?([\w-]+)'?: \[/gm)].map(
        ([, name]) => name,
      );
      expect(first).toBeDefined();
      const tabs = [`${path}(/${first})?`, ...others.map((name) => `${path}/${name}`)];
      missing.push(...tabs.filter((tab) => !states.some((state) => shows(tab).test(state))));
    }
    expect(missing).toEqual([]);
  });

  test('each of the member app has its states', () => {
    const screens = [...read('apps/member/src/app.tsx').matchAll(/path\.value === '([^']+)'/g)];
    expect(screens.length).toBeGreaterThan(5);
    const states = filesOf('tests/browser/member/{screens.test,states/*}.ts').map(read).join('\n');
    const missing = screens.filter(([, path]) => !states.includes(`path: '${path}'`));
    expect(missing.map(([, path]) => path)).toEqual([]);
  });

  test('each view of the payment page has its states', () => {
    const plain = filesOf('apps/server/src/checkout/*.ts').flatMap((file) =>
      [...read(file).matchAll(/\bview: '([a-z-]+)'/g)].map(([, view = '']) => view),
    );
    expect(plain.length).toBeGreaterThan(3);
    const states = read('tests/browser/checkout/views.ts');
    // A deposit expires with its link, and then the page shows `link-expired`.
    const views = [...api.PAGE_VIEWS.filter((view) => view !== 'expired'), ...plain];
    expect(views.filter((view) => !states.includes(`view: '${view}'`))).toEqual([]);
  });
});

import { describe, expect } from 'vitest';
import { ENDPOINTS } from '../../support/contract.ts';
import { createMember, createMerchant, createOrder, signInMember } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** The two forms of files (apis.md#csv-files). */

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '1000' });
const password = 'a long enough password';
const member = await createMember(service, { methods: ['ProviderA'], password });
const tokens: Readonly<Record<string, string>> = {
  operator: OPERATOR_TOKEN,
  portal: (await createPortalUser(service, merchant, 'admin')).token,
  member: await signInMember(service, member, password),
};
const { data: closing } = await operatorClient(service).post('/closings', {});
const month = new Date(service.app.deps.clock.now()).toISOString().slice(0, 7);

const FILES = ENDPOINTS.filter(
  ({ answer }) => (answer as { contentMediaType?: string }).contentMediaType === 'text/csv',
);

describe('every file', () => {
  test.each(FILES.map(({ face, path }) => [face, path] as const))(
    'of the %s face has both forms: %s',
    async (face, path) => {
      const filled = path
        .replace(':merchantId', merchant.merchantId)
        .replace(':memberId', member.memberId)
        .replace(':closingId', closing.closingId)
        .replace(':month', month);
      const read = async (format: string) => {
        const asked = new URLSearchParams({ format, ...(face === 'member' && { month }) });
        const response = await fetch(`${service.url}/api/${face}${filled}?${asked}`, {
          headers: { Authorization: `Bearer ${tokens[face]}` },
        });
        const bytes = Buffer.from(await response.arrayBuffer()); // text() drops the byte order mark
        return { status: response.status, text: bytes.toString('utf8') };
      };
      const { status, text } = await read('plain');
      expect([status, text]).toEqual([200, expect.stringMatching(/^"[a-zA-Z]+",/)]);
      expect(await read('spreadsheet')).toMatchObject({
        status: 200,
        text: expect.stringMatching(/^\uFEFF"[a-zA-Z]+",/),
      });
      expect((await read('xlsx')).status).toBe(400);
    },
  );
});

test('a reference keeps its characters for spreadsheets, and is bare for programs', async () => {
  const { orderId } = await createOrder(merchant, { merchantOrderRef: '000123', amount: 250.5 });
  const admin = portalClient(service, tokens['portal'] ?? '');
  const file = (await admin.call('GET', '/orders.csv')).text;
  expect(file).toContain(`"${orderId}"`);
  expect(file).toContain(',"=""000123""",');
  expect(file).toContain(',"250.5",');
  const plain = (await admin.call('GET', '/orders.csv?format=plain')).text;
  expect(plain).toContain(`"${orderId}"`);
  expect(plain).toContain(',"000123",');
  expect(plain).not.toContain('=');
});

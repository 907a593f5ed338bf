import { randomUUID } from 'node:crypto';
import type { WalletType } from '@munshi/core';
import { expect } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  setPresence,
  signInMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What a payer's app is given: the amount in an EMVCo code, and a link to UPI apps. */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service);
await operator.post('/exchange-rates', { currency: 'INR', rate: 3.3 });
await operator.patch(`/merchants/${merchant.merchantId}`, { currencies: ['PKR', 'INR'] });

const STATIC =
  '00020101021126280008pk.wallet0111030012345675204599953035865802PK5910Sana Iqbal6006Lahore630455D0';
const PAID =
  '00020101021226280008pk.wallet01110300123456752045999530358654071500.505802PK5910Sana Iqbal6006Lahore6304509F';

/** In a template of its bank's own (EMVCo, 80 to 99). */
const SIGNED =
  '00020101021126280008pk.wallet0111030012345675204599953035865802PK5910Sana Iqbal6006Lahore8012SIGNATURE=ab6304E843';

/** The only member who is there, with one approved account. */
async function onlyMember(account: {
  readonly walletType: WalletType;
  readonly accountNumber?: string;
  readonly qrPayload?: string;
  readonly qrAmount?: boolean;
}) {
  await service.database.pool.query('update members set online = false');
  const password = randomUUID();
  const member = await createMember(service, { methods: [], password, float: '1000000' });
  const fields = { accountNumber: '03001234567', accountTitle: 'Sana Iqbal', ...account };
  const { data } = await operator.post(`/members/${member.memberId}/accounts`, fields);
  await operator.post(`/member-accounts/${data.accountId}/approve`);
  await setPresence(service, member.memberId, true);
  const client = memberClient(service.url, await signInMember(service, member, password));
  return { ...member, client, account: data };
}

async function paying(walletType: WalletType, order: object = {}) {
  const created = await createOrder(merchant, { walletType, amount: 1500.5, ...order });
  const page = openPage(created);
  const opened = await page.data('open');
  if (opened.view !== 'payer') return { created, page, shown: opened };
  const payer =
    walletType === 'ProviderAQR' ? { accountNumber: '03009998887' } : { ibanLast4: '1234' };
  return { created, page, shown: await page.data('payer', payer) };
}
const accountOf = async ({ orderId }: { readonly orderId: string }) =>
  (await service.app.deps.readers.pageOrder(orderId))?.account;

test('an EMVCo code carries the order’s amount, until the account’s setting is turned off', async () => {
  const { client, account } = await onlyMember({ walletType: 'ProviderAQR', qrPayload: STATIC });
  expect(account).toMatchObject({ qrPayload: STATIC, qrAmount: true });
  const { page, shown } = await paying('ProviderAQR');
  expect(shown.account).toMatchObject({ qrPayload: PAID });
  expect((await page.state()).account).toMatchObject({ qrPayload: PAID });

  const off = { qrAmount: false };
  const path = `/accounts/${account.accountId}`;
  expect(await client.data('PATCH', path, off)).toMatchObject({ qrPayload: STATIC, ...off });
  expect(await client.data('GET', '/accounts')).toMatchObject([off]);
  expect((await page.state()).account).toMatchObject({ qrPayload: STATIC });
  expect((await paying('ProviderAQR')).shown.account).toMatchObject({ qrPayload: STATIC });

  const on = { qrAmount: true };
  const byOperator = await operator.patch(`/member-accounts/${account.accountId}`, on);
  expect(byOperator.data).toMatchObject({ status: 'approved', ...on });
  expect((await page.state()).account).toMatchObject({ qrPayload: PAID });
  const audited = await operator.get(`/audit-log?target=${account.accountId}`);
  expect(audited.data[0]).toMatchObject({ action: 'account.update', detail: { qrAmount: true } });
});

test('the amount in a code and in a link is the one that can be sent', async () => {
  await onlyMember({ walletType: 'ProviderAQR', qrPayload: STATIC });
  const { shown } = await paying('ProviderAQR', { amount: 200.7647 });
  expect(shown.account.qrPayload).toContain('5406200.775802PK');
  await onlyMember({ walletType: 'ProviderA', accountNumber: 'sana@okbank' });
  const rupees = await paying('ProviderA', { amount: 200.7647, currency: 'INR' });
  expect((await accountOf(rupees.created))?.upiLink).toContain('&am=200.77&');
});

test('a code that its bank signed is shown byte for byte, with the amount beside it in words', async () => {
  await onlyMember({ walletType: 'ProviderAQR', qrPayload: SIGNED });
  const signed = await paying('ProviderAQR', { amount: 200.7647 });
  expect(signed.shown.account.qrPayload).toBe(SIGNED);
  expect((await signed.page.get()).text).toMatch(
    /After scanning, enter exactly <bdi dir="ltr" translate="no">PKR 200\.77/,
  );
  await onlyMember({ walletType: 'ProviderAQR', qrPayload: STATIC });
  const { page } = await paying('ProviderAQR', { amount: 200.7647 });
  expect((await page.get()).text).not.toContain('After scanning');
});

test('what is no EMVCo code, or is turned off from the beginning, is shown as it is', async () => {
  await onlyMember({ walletType: 'ProviderAQR', qrPayload: 'qr:anything' });
  expect((await paying('ProviderAQR')).shown.account.qrPayload).toBe('qr:anything');
  await onlyMember({ walletType: 'ProviderAQR', qrPayload: STATIC, qrAmount: false });
  expect((await paying('ProviderAQR')).shown.account.qrPayload).toBe(STATIC);
});

test('a UPI ID has a link with everything filled in, for orders in rupees alone', async () => {
  await onlyMember({ walletType: 'ProviderA', accountNumber: 'sana@okbank' });
  const rupees = await paying('ProviderA', { currency: 'INR' });
  const short = rupees.created.orderReference.slice(-6);
  expect((await accountOf(rupees.created))?.upiLink).toBe(
    `upi://pay?pa=sana@okbank&pn=Sana%20Iqbal&am=1500.50&cu=INR&tn=${short}`,
  );
  expect((await accountOf((await paying('ProviderA')).created))?.upiLink).toBeNull();
});

test('another member’s account is not found, and nothing else of one’s own changes', async () => {
  const { account } = await onlyMember({ walletType: 'ProviderA' });
  const other = await onlyMember({ walletType: 'ProviderA', accountNumber: '03111111111' });
  const theirs = `/accounts/${account.accountId}`;
  const body = { qrAmount: false };
  expect(await other.client.call('PATCH', theirs, body)).toMatchObject({ status: 404 });
  expect(await other.client.call('PATCH', `/accounts/${randomUUID()}`, body)).toMatchObject({
    status: 404,
  });
  const { data } = await operator.get(`/members/${other.memberId}`);
  expect(data.accounts).toMatchObject([{ qrAmount: true }]);
  const own = `/accounts/${other.account.accountId}`;
  for (const wrong of [{}, { qrAmount: 'no' }, { qrAmount: true, accountNumber: '1' }])
    expect(await other.client.call('PATCH', own, wrong)).toMatchObject({ status: 400 });
});

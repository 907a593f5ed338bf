import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { handInEvidence, photo } from '../../../support/evidence.ts';
import { advance, everybodyOffline, floatMember } from '../../../support/fixtures.ts';
import { type MemberWork, memberWork } from '../../../support/member-app.ts';
import { qrPicture } from '../../../support/qr-picture.ts';
import type { Service } from '../../../support/service.ts';
import type { State } from './state.ts';

/** M8, M10 and M11: pictures, what is over, float and accounts. */
export async function statesOfBack(service: Service): Promise<readonly State[]> {
  const work = await lookingBack(service);
  const { member: who, ended, checked } = work;
  const code = await qrPicture('upi://pay?pa=03009998877&pn=Bilal%20Ahmed&am=500');
  const picture = { name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: await photo() };
  const typeIn = async (page: Page, text: string) => {
    await page.locator('input[type=search]').fill(text);
    await page.keyboard.press('Enter');
  };
  const openAccount = async (page: Page, status: string) => {
    await page.locator(`.account.${status} .whole`).first().click();
    await page.locator('dialog[open]').waitFor();
  };
  return [
    {
      name: 'history',
      path: '/history',
      who,
      reach: (page) => page.locator('.day > .sum').nth(3).waitFor(),
    },
    {
      name: 'history-found',
      path: '/history',
      who,
      async reach(page) {
        await page.locator('.rows').first().waitFor();
        await typeIn(page, '700');
        await page.locator('.sum').first().waitFor({ state: 'detached' });
      },
    },
    {
      name: 'history-nothing',
      path: '/history',
      who,
      async reach(page) {
        await page.locator('.rows').first().waitFor();
        await typeIn(page, '99999');
        await page.locator('.nothing').waitFor();
      },
    },
    {
      name: 'history-month',
      path: '/history',
      who,
      async reach(page) {
        await page.locator('.link').click();
        await page.locator('dialog[open]').waitFor();
      },
    },
    {
      name: 'over',
      path: `/orders/${ended.orderId}`,
      who,
      async reach(page) {
        await page.locator('.timeline li').nth(1).waitFor();
        await page.locator('.thumbs img').waitFor();
      },
    },
    {
      name: 'check-picture',
      path: `/orders/${checked.orderId}`,
      who,
      async reach(page) {
        await page.locator('.quiet-link').first().click();
        await page.locator('input[type=file]').last().setInputFiles(picture);
        await page.locator('.thumbs img').waitFor();
        await page.locator('.reasons input').nth(1).check();
      },
    },
    {
      name: 'account',
      path: '/account',
      who,
      reach: (page) => page.locator('.account').nth(3).waitFor(),
    },
    {
      name: 'account-one',
      path: '/account',
      who,
      reach: (page) => openAccount(page, 'approved'),
    },
    {
      name: 'account-waiting',
      path: '/account',
      who,
      reach: (page) => openAccount(page, 'pending'),
    },
    {
      name: 'account-stop',
      path: '/account',
      who,
      async reach(page) {
        await openAccount(page, 'approved');
        await page.locator('dialog .quiet-link').click();
        await page.locator('dialog .danger').waitFor();
      },
    },
    {
      name: 'float',
      path: '/account/float',
      who,
      reach: (page) => page.locator('.rows').first().waitFor(),
    },
    {
      name: 'add',
      path: '/account/add',
      who,
      reach: (page) => page.locator('select').first().waitFor(),
    },
    {
      name: 'add-missing',
      path: '/account/add',
      who,
      async reach(page) {
        await page.locator('select').first().waitFor();
        await page.locator('.action .primary').click();
        await page.locator('[aria-invalid="true"]:focus').waitFor();
      },
    },
    {
      name: 'add-code',
      path: '/account/add',
      who,
      async reach(page) {
        await page.locator('select:has(option[value=ProviderAQR])').selectOption('ProviderAQR');
        const [number, again, title] = await page.locator('.form .field input').all();
        await number?.fill('03001234567');
        await again?.fill('03001234567');
        await title?.fill('Sana Iqbal');
        const file = { name: 'code.jpg', mimeType: 'image/jpeg', buffer: code };
        await page.locator('input[type=file]').setInputFiles(file);
        await page.locator('.holds .note').nth(2).waitFor();
        await page.locator('.holds').scrollIntoViewIfNeeded();
      },
    },
  ];
}

interface LookingBack extends MemberWork {
  readonly ended: { readonly orderId: string };
  readonly checked: { readonly orderId: string };
}

/** Two days of a member with accounts of every kind. */
export async function lookingBack(service: Service): Promise<LookingBack> {
  await everybodyOffline(service);
  const work = await memberWork(service, {
    methods: ['ProviderA', 'TillID', 'BankAccount'],
    limits: { minimumPerOrder: '100', maximumPerOrder: '50000', maximumPerDay: '200000' },
  });
  const { memberId, accounts } = work.member;
  const actor = { kind: 'member', id: memberId } as const;
  const confirm = ({ orderId }: { readonly orderId: string }, reference: string | null = null) =>
    work.submit({
      ...{ kind: 'member-confirm', commandId: randomUUID(), orderId, memberId },
      ...{ receivedAmount: null, transactionReference: reference },
    });
  await confirm(await work.paid('1111', { amount: 1500.5 }));
  await confirm(await work.payout(), 'TX 99812');
  await floatMember(service, memberId, '25000');
  await advance(service, 24 * 60 * 60);
  await confirm(await work.paid('2468', { amount: 700, walletType: 'TillID' }));
  await confirm(await work.paid('3579', { amount: 12000 }));
  const released = await work.waiting({ amount: 199 });
  await work.submit({
    ...{ kind: 'member-release', commandId: randomUUID(), orderId: released.orderId, memberId },
    reason: 'The member has to go.',
  });
  const ended = await work.payout({ amount: 8000 });
  await confirm(ended, '8123990');
  await handInEvidence(service, work.member, { orderId: ended.orderId, kind: 'confirm' });
  const checked = await work.paid('4821');
  const change = (at: number, of: object) => ({
    ...{ kind: 'update-member' as const, commandId: randomUUID(), memberId, actor },
    account: { accountId: accounts[at]?.accountId as string, ...of },
  });
  await work.submit(change(1, { paused: true }));
  await work.submit(change(2, { status: 'suspended' }));
  await service.database.pool.query(
    `insert into member_accounts (account_id, member_id, wallet_type, account_number, account_title, created_at)
     values ($1, $2, 'ProviderB', '03451234567', 'Sana Iqbal', $3)`,
    [randomUUID(), memberId, new Date(service.app.deps.clock.now() - 3 * 3_600_000).toISOString()],
  );
  return { ...work, ended, checked };
}

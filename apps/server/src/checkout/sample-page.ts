import type { PreviewPage } from '@munshi/api';
import type { Instant, MemberId, OrderId } from '@munshi/core';
import { NOTHING_ADDED } from '../orders/added.store.ts';
import type { PageOrder } from '../orders/page.store.ts';
import { ASSETS_VERSION } from './assets.ts';
import { orderPage } from './page.ts';
import { LANGUAGES } from './texts/languages.ts';
import { NOTHING_CLAIMED, pageState } from './view.ts';

const MINUTE_MS = 60_000;

/** What a page with made-up data is drawn from: who sees it, and whose it is. */
interface SamplePage extends Pick<PreviewPage, 'language' | 'view' | 'theme'> {
  readonly merchantName: string;
  /** `#rrggbb` in lower case. */
  readonly brandColour: string | null;
  /** A `data:` URL. */
  readonly logo: string | null;
  readonly support: {
    readonly email: string | null;
    readonly phone: string | null;
    readonly url: string | null;
  };
  readonly displayNames: PageOrder['displayNames'];
}

const STATUSES = {
  pay: 'AwaitingCustomerPayment',
  verifying: 'AwaitingMemberConfirmation',
  completed: 'Completed',
} as const;

/**
 * The page of a deposit that does not exist, for operators to look at: without script, so that
 * nothing of it can be sent, and with what the script would show.
 */
export function samplePage(sample: SamplePage, now: Instant, pathPrefix: string): string {
  const language = LANGUAGES[sample.language];
  const known = { usualSeconds: () => 120, isServed: () => true, sandbox: false };
  const state = pageState(
    sampleOrder(sample, now),
    now,
    language,
    { late: NOTHING_CLAIMED, added: NOTHING_ADDED },
    known,
  );
  const page = orderPage(state, {
    page: '',
    query: '',
    assets: `${pathPrefix}/pay/assets/`,
    logoOf: () => sample.logo ?? '',
    version: ASSETS_VERSION,
    language,
    offered: null,
  });
  return String(page)
    .replaceAll(/<noscript>.*?<\/noscript>/gs, '')
    .replace(
      /(checkout\.css\?[^"]*)/,
      sample.theme === undefined ? '$1' : `$1&scheme=${sample.theme}`,
    )
    .replaceAll(/<script[^>]*>(.*?)<\/script>/gs, (_, content) =>
      content.includes('class="copy"') ? content : '',
    );
}

function sampleOrder(sample: SamplePage, now: Instant): PageOrder {
  const { view, merchantName, brandColour, logo, support, displayNames } = sample;
  const status = STATUSES[view];
  return {
    merchantId: SAMPLE_ID,
    orderId: SAMPLE_ID as OrderId,
    orderReference: 'ORD-20260101120000-7H3K9Q',
    merchantOrderRef: null,
    orderType: 'Deposit',
    walletType: 'ProviderA',
    currency: 'PKR',
    amount: 25_000_000n,
    floatAmount: 25_000_000n,
    status,
    memberId: SAMPLE_ID as MemberId,
    customerAccountNumber: null,
    successUrl: null,
    failureUrl: null,
    txnRefDigitsRequired: 4,
    payerAccount: null,
    transactionDigits: view === 'pay' ? null : '4821',
    reasonCode: null,
    methodSwitches: 0,
    createdAt: now - MINUTE_MS,
    expiresAt: now + 14 * MINUTE_MS,
    sentAt: view === 'pay' ? null : now,
    completedAt: view === 'completed' ? now : null,
    failedAt: null,
    dueAt: view === 'pay' ? null : now + 30 * MINUTE_MS,
    merchantName,
    brandColour,
    logo,
    support,
    depositMethods: ['ProviderA', 'ProviderB', 'ProviderAQR'],
    account: {
      accountId: SAMPLE_ID,
      walletType: 'ProviderA',
      accountNumber: '03101234567',
      accountTitle: 'Sana Iqbal',
      qrPayload: null,
      upiLink: null,
    },
    accountSubmitted: false,
    displayNames,
  };
}

const SAMPLE_ID = '00000000-0000-0000-0000-000000000000';

import { describe, expect, test } from 'vitest';
import { money } from './money.ts';
import { upiLink } from './upi-link.ts';

const account = {
  accountNumber: 'sana.iqbal-1@okbank',
  accountTitle: 'Sana Iqbal',
  qrPayload: null as string | null,
};
const order = { payable: money('1500.5'), currency: 'INR', note: '7K3M9Q' } as const;

describe('the link to a UPI app', () => {
  test.each([
    [
      'of a UPI ID',
      {},
      {},
      'upi://pay?pa=sana.iqbal-1@okbank&pn=Sana%20Iqbal&am=1500.50&cu=INR&tn=7K3M9Q',
    ],
    [
      'whose name has characters of links, or of other scripts',
      { accountTitle: 'सना & Söhne=#1?' },
      { payable: money('99') },
      'upi://pay?pa=sana.iqbal-1@okbank&pn=%E0%A4%B8%E0%A4%A8%E0%A4%BE%20%26%20S%C3%B6hne%3D%231%3F&am=99.00&cu=INR&tn=7K3M9Q',
    ],
    [
      'of an account whose QR code is one: whom it names, and what kind of shop',
      {
        accountNumber: '1234567',
        qrPayload: 'upi://pay?pa=shop%40bank&pn=Corner+Shop&mc=5411&am=1&tr=x&cu=INR',
      },
      {},
      'upi://pay?pa=shop@bank&pn=Corner%20Shop&mc=5411&am=1500.50&cu=INR&tn=7K3M9Q',
    ],
    [
      'whose QR code is something else',
      { qrPayload: '000201' },
      {},
      'upi://pay?pa=sana.iqbal-1@okbank&pn=Sana%20Iqbal&am=1500.50&cu=INR&tn=7K3M9Q',
    ],
    [
      'with a note that is cut',
      {},
      { note: 'x'.repeat(60) },
      `upi://pay?pa=sana.iqbal-1@okbank&pn=Sana%20Iqbal&am=1500.50&cu=INR&tn=${'x'.repeat(50)}`,
    ],
  ])('%s', (_name, its, asked, link) => {
    expect(upiLink({ ...account, ...its }, { ...order, ...asked })).toBe(link);
  });

  test.each([
    ['a bank account', { accountNumber: '123456789012' }, {}],
    ['an ID that is none', { accountNumber: 'sana@' }, {}],
    ['an ID with more behind it', { accountNumber: 'sana@bank&am=1' }, {}],
    ['a code that names nobody', { accountNumber: '1', qrPayload: 'upi://pay?pn=Sana' }, {}],
    ['a code that is signed', { qrPayload: 'upi://pay?pa=shop@bank&sign=MEUC' }, {}],
    ['another currency', {}, { currency: 'PKR' as const }],
  ])('there is none for %s', (_name, its, asked) => {
    expect(upiLink({ ...account, ...its }, { ...order, ...asked })).toBeNull();
  });
});

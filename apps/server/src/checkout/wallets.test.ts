import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brandShades } from '@munshi/core';
import { describe, expect, test } from 'vitest';
import { appOf, choiceMark, isForeign, methodMark } from './wallets.ts';

const app = (ownName: string | null, providerName: string) => appOf({ ownName, providerName });

describe('whose app a method is', () => {
  test.each([
    ['as the provider is called', null, 'Easypaisa', 'Easypaisa', 'EP', true],
    ['however it is written', null, 'EASY PAISA (mobile)', 'Easypaisa', 'EP', true],
    [
      'the method’s own name before the provider’s',
      'bKash personal',
      'ProviderA',
      'bKash',
      'bK',
      true,
    ],
    [
      'the provider’s, where the own name says nothing',
      'Fast pay',
      'JazzCash',
      'JazzCash',
      'JC',
      true,
    ],
    ['a menu that we do not know', null, 'SadaPay', 'SadaPay', 'SP', undefined],
    ['a wallet that we do not know', null, 'Corner Wallet', 'Corner Wallet', 'CW', undefined],
    ['a name of humps', null, 'ProviderA', 'ProviderA', 'PA', undefined],
    ['another script', null, 'میرا والٹ', 'میرا والٹ', 'م', undefined],
  ])('%s', (_why, ownName, providerName, name, letters, sendMoney) => {
    const { tint: _, currency: _country, ...known } = app(ownName, providerName);
    expect(known).toEqual({ name, letters, ...(sendMoney && { sendMoney }) });
  });

  test('an unknown one keeps its colour', () => {
    expect(app(null, 'Corner Wallet').tint).toBe(app(null, 'Corner Wallet').tint);
    expect(app(null, 'Corner Wallet').tint).not.toBe(app(null, 'Corner Wallets').tint);
  });
});

test.each([
  ['Easypaisa', 'INR', true],
  ['JazzCash account', 'BDT', true],
  ['bKash', 'PKR', true],
  ['Easypaisa', 'PKR', false],
  ['PhonePe', 'INR', false],
  ['Corner Wallet', 'INR', false],
])('%s is another country’s to a customer who pays in %s: %s', (name, currency, foreign) => {
  expect(isForeign(name, currency)).toBe(foreign);
});

describe('marks', () => {
  const easypaisa = { ownName: null, providerName: 'Easypaisa', besideName: 'JazzCash' };

  test('a provider’s methods bear its letters; banks and UPI have drawings of their own', async () => {
    for (const kind of ['account', 'till', 'qr'] as const)
      expect(String(await methodMark({ kind, ...easypaisa }))).toContain('>EP</text>');
    for (const kind of ['bank', 'upi'] as const)
      expect(String(await methodMark({ kind, ...easypaisa }))).not.toContain('<text');
  });

  test.each([
    ['ওয়ালেট A', 'ওয়ালেট B', 'ওA', 'ওB'],
    ['नगद', 'नगद पे', 'न', 'नपे'],
    ['Corner Wallet', 'City Wallet', 'Co', 'Ci'],
    ['Easypaisa shop', 'Easypaisa', 'Es', 'E'],
    ['Easypaisa', 'JazzCash', 'EP', 'JC'],
  ])('of %s beside %s is another than its own', async (name, other, mark, itsMark) => {
    const letters = async (providerName: string, besideName: string) => {
      const drawn = await methodMark({ kind: 'account', ownName: null, providerName, besideName });
      return /<text[^>]*>(.*)<\/text>/.exec(String(drawn))?.[1];
    };
    expect([await letters(name, other), await letters(other, name)]).toEqual([mark, itsMark]);
  });

  test('below the provider’s name a choice shows its kind, or the wallet of its own name', async () => {
    expect(String(await choiceMark({ kind: 'till', ...easypaisa }))).not.toContain('<text');
    const named = {
      kind: 'till',
      ownName: 'Nagad',
      providerName: 'ProviderA',
      besideName: null,
    } as const;
    expect(String(await choiceMark(named))).toContain('>N</text>');
  });

  test('are passed over by screen readers, and a name cannot break out of one', async () => {
    const mark = String(
      await methodMark({
        kind: 'account',
        ownName: null,
        providerName: '<b "&',
        besideName: null,
      }),
    );
    expect(mark).toContain('aria-hidden="true"');
    expect(mark).not.toMatch(/<b|>"</);
  });

  test('can be read in both themes: 4.5:1 of the letters on their tile', () => {
    const style = readFileSync(path.join(import.meta.dirname, 'assets', 'checkout.css'), 'utf8');
    const inks = [
      ...style.matchAll(
        /\.(green|red|orange|teal|violet|pink|blue|slate) \{\s*color: (#[0-9a-f]{6})/g,
      ),
    ].map(([, , ink = '']) => ink);
    expect(inks).toHaveLength(16);
    for (const [at, ink] of inks.entries()) {
      const card = at < 8 ? '#ffffff' : '#1b222c';
      expect(brandShades(ink, [onTile(ink, card)]).ink, ink).toBe(ink);
    }
  });
});

/** The tile: 13 % of the ink over the card. */
function onTile(ink: string, card: string): string {
  const parts = (colour: string) =>
    [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const under = parts(card);
  const mixed = parts(ink).map((part, at) => Math.round(part * 0.13 + (under[at] ?? 0) * 0.87));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

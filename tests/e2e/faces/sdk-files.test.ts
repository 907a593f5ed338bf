import { describe, expect } from 'vitest';
import { createMember, createMerchant } from '../../support/fixtures.ts';
import {
  flowOf,
  presentLanguages,
  quickStartOf,
  SIGNATURE_VECTORS,
  signaturesBy,
} from '../../support/sdk-files.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
await createMember(service);

describe('the clients of one file', () => {
  const present = presentLanguages();

  test('agree with every golden vector', async () => {
    for (const language of present)
      expect(await signaturesBy(language), language.name).toEqual(
        SIGNATURE_VECTORS.vectors.map(({ signature }) => signature),
      );
  });

  test('create, move, follow and verify an order with exact amounts, and name what is refused', async () => {
    for (const language of present) {
      const { apiKey, signingSecret } = merchant;
      const reference = `a reference & ${language.name}`;
      expect(
        await flowOf(language, service.url, apiKey, signingSecret, reference),
        language.name,
      ).toEqual([
        { created: 'Queued', same: true },
        { amount: '1500.5' },
        { moved: 'Completed' },
        { event: 'order.completed', amount: '1500.5', next: expect.any(String) },
        { verified: 'Completed' },
        { other: 'refused' },
        { status: 'Completed', currency: 'PKR' },
        { resent: 0 },
        { rest: [] },
        { status: 400, message: "'Amount' must be greater than '0'.", fields: [] },
        {
          status: 400,
          message: expect.stringContaining('walletType is unknown'),
          fields: ['$.walletType'],
        },
        { float: 'refused' },
      ]);
    }
  });

  test('are all that the quick start needs', async () => {
    for (const language of present) {
      const { apiKey, signingSecret } = merchant;
      const printed = await quickStartOf(language, {
        MUNSHI_URL: service.url,
        MUNSHI_API_KEY: apiKey,
        MUNSHI_SIGNING_SECRET: signingSecret,
      });
      const [, orderId] = /^http\S+\/pay\/([\w-]+)\?\S+\nCompleted\n/.exec(printed) ?? [];
      expect(printed, language.name).toContain(`${orderId}'`);
    }
  });

  test.each(['munshi.py', 'munshi.php'])('%s is served as text', async (file) => {
    const answer = await fetch(`${service.url}/sdk/${file}`);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toContain('no dependencies');
  });
});

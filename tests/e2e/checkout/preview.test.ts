import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { createMerchant } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { name: 'Corner Shop' });
const path = `/merchants/${merchant.merchantId}`;
const stored = () => operator.get(path).then(({ data }) => data);

describe('the payment page before it is saved', () => {
  const preview = (body: object) =>
    operator.post(`${path}/page-preview`, { language: 'en', view: 'pay', ...body });

  test('is drawn with what is typed in the place of what is stored, in every language and step', async () => {
    const before = await stored();
    await operator.patch(path, { supportPhone: '+92 300 1234567' });
    const typed = {
      displayName: '<b>Bazaar</b> & Söhne',
      brandColour: '#0B7A4B',
      supportEmail: 'help@bazaar.example',
    };
    for (const [language, direction] of [
      ['en', 'ltr'],
      ['ur', 'rtl'],
      ['hi', 'ltr'],
      ['bn', 'ltr'],
    ] as const)
      for (const view of ['pay', 'verifying', 'completed']) {
        const { status, data } = await preview({ ...typed, language, view });
        expect(status).toBe(200);
        expect(data.html).toContain(`<html lang="${language}" dir="${direction}">`);
        expect(data.html).toContain(`data-view="${view}"`);
        expect(data.html).toContain('&lt;b&gt;Bazaar&lt;/b&gt; &amp; Söhne');
        expect(data.html).toContain('brand=0b7a4b');
        expect(data.html).toContain('mailto:help@bazaar.example');
        expect(data.html).toContain('tel:+923001234567');
        expect(data.html).not.toMatch(/<script|<noscript/);
        expect(data.logo).toBeNull();
      }
    expect(await stored()).toEqual({ ...before, supportPhone: '+92 300 1234567' });
    const { data: orders } = await operator.get(`/orders?merchantId=${merchant.merchantId}`);
    expect(orders).toEqual([]);
  });

  test('is drawn in one theme, regardless of what the browser asks for', async () => {
    const styleOf = async (theme?: string) => {
      const { data } = await preview({ brandColour: '#0b7a4b', ...(theme && { theme }) });
      const [, href = ''] = /href="([^"]*checkout\.css[^"]*)"/.exec(data.html) ?? [];
      return (await fetch(`${service.url}${href.replaceAll('&amp;', '&')}`)).text();
    };
    expect(await styleOf()).toContain('prefers-color-scheme');
    for (const [theme, becomes] of [
      ['light', '@media not all'],
      ['dark', '@media all'],
    ] as const) {
      const style = await styleOf(theme);
      expect(style).not.toContain('prefers-color-scheme');
      expect(style).toContain(becomes);
      expect(style).toContain(`color-scheme:${theme}`);
    }
  });

  test('shows a picture as customers would load it, and keeps nothing of it', async () => {
    const png = await sharp({
      create: { width: 1200, height: 400, channels: 3, background: '#c02010' },
    })
      .png()
      .toBuffer();
    const { data } = await preview({ logo: png.toString('base64') });
    const [, base64 = ''] = /^data:image\/webp;base64,(.*)$/.exec(data.logo.url) ?? [];
    const webp = Buffer.from(base64, 'base64');
    expect(webp).toHaveLength(data.logo.bytes);
    expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width: 360, height: 120 });
    expect(data.html).toContain(`src="${data.logo.url}"`);
    const { rows } = await service.database.pool.query('select count(*)::integer from logos');
    expect(rows[0].count).toBe(0);
    await operator.patch(path, { logo: png.toString('base64') });
    expect((await preview({})).data.logo).toEqual(data.logo);
    expect((await preview({ logo: null })).data.logo).toBeNull();
  });

  test('is refused with what saving it would be refused with', async () => {
    for (const [field, value] of [
      ['brandColour', 'green'],
      ['supportUrl', 'http://shop.example'],
      ['logo', Buffer.from('<svg/>').toString('base64')],
    ] as const) {
      const { status, errors } = await preview({ [field]: value });
      expect([status, Object.keys(errors ?? {})]).toEqual([400, [`$.${field}`]]);
      expect(errors).toEqual((await operator.patch(path, { [field]: value })).errors);
    }
  });
});

import { afterAll, expect, test } from 'vitest';
import { LANGUAGES } from '../../../apps/server/src/checkout/texts/languages.ts';
import { openShop } from '../../browser/checkout/shop.ts';
import { showEveryView } from '../../browser/checkout/views.ts';

const shop = await openShop();
const shown = await showEveryView(shop);
afterAll(shown.close);

/** What text browsers show: what is hidden as well, and a `<template>`, but no script. */
const bodyOf = (page: string) => page.replace(/<head>.*?<\/head>|<script.*?<\/script>/gs, '');
const textOf = (body: string) => body.replace(/<[^>]*>/g, '\n');

test.each([...shown.shown.values()].filter(({ reach }) => reach === undefined))(
  '$name says nothing in a text browser that is not so',
  async ({ name, url }) => {
    for (const { code, texts } of Object.values(LANGUAGES)) {
      const headers = { Accept: 'text/html', 'Accept-Language': code };
      const page = bodyOf(await (await fetch(url, { headers })).text());
      expect(page.match(/<template| hidden[ >]/g), 'hidden from some browsers only').toBeNull();
      const text = textOf(page);
      const onlyScripted = [
        texts.timeLeft,
        texts.timeIsUp,
        texts.lastMinutes,
        texts.keepOpen,
        texts.stay,
        texts.returningLater,
        texts.copy,
        texts.copied,
        texts.connectionLost,
      ];
      for (const said of onlyScripted) expect(text.split('\n')).not.toContain(said);
      expect(page.match(/<h1/g)).toHaveLength(1);
      expect(text, name).not.toContain(texts.expired);
    }
  },
);

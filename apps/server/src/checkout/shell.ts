import { html } from 'hono/html';
import { pageHeader } from './header.ts';
import type { Addresses, Html } from './html.ts';

interface Shell {
  readonly at: Addresses;
  readonly title: string;
  readonly description: string;
  readonly head?: Html | null;
  /** The merchant's mark and name. */
  readonly merchant?: Html | null;
  /** `#rrggbb`. */
  readonly brandColour?: string | null;
  readonly main: Html;
}

/** The frame of every screen. */
export function shell(asked: Shell): Html {
  const { at, title, description, head = null, merchant = null, brandColour = null, main } = asked;
  const { language, assets, version } = at;
  return html`<!doctype html>
<html lang="${language.code}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}checkout.css?v=${version}${brandColour === null ? null : html`&brand=${brandColour.slice(1)}`}">
<script src="${assets}checkout.js?v=${version}" defer></script>
${head}
</head>
<body>
${pageHeader(at, merchant)}
${main}
</body>
</html>`;
}

import { html, raw } from 'hono/html';
import type { DemoSignIns } from './deps.ts';

interface StartPage {
  /** The path of PUBLIC_URL. */
  readonly prefix: string;
  readonly nonce: string;
  /** The visitor sits at the machine that tries the service. */
  readonly here: boolean;
  /** They may enter as these people of the demo. */
  readonly demo: DemoSignIns | undefined;
}

/** The page at `/`. Elsewhere than at the machine itself it has no name and no version. */
export const startPageHtml = ({ prefix, nonce, here, demo }: StartPage) => html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${here ? 'Munshi' : 'Sign in'}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style nonce="${nonce}">${raw(STYLE)}</style>
</head>
<body>
<main>
${here ? tour(prefix, demo) : signIns(prefix)}
</main>
</body>
</html>`;

const signIns = (prefix: string) => html`<div class="narrow">
<h1>Sign in</h1>
<ul class="cards">
<li class="card"><a class="whole" href="${prefix}/console/"><strong>Operator console</strong></a>
<p>For people who run orders, merchants and members.</p></li>
<li class="card"><a class="whole" href="${prefix}/member/"><strong>Member app</strong></a>
<p>For people who receive and send orders with their own accounts.</p></li>
<li class="card"><a class="whole" href="${prefix}/portal/"><strong>Merchant portal</strong></a>
<p>For people of merchants: orders, money, webhooks and keys.</p></li>
</ul>
</div>`;

const tour = (prefix: string, demo: DemoSignIns | undefined) => html`<header>
${raw(MARK)}
<div>
<h1>Munshi is running</h1>
<p>Deposits and withdrawals for merchants, carried out by members with their wallets.</p>
</div>
</header>
<section class="first card">
<h2>Operator console</h2>
<p>Orders, queues, merchants, members, webhooks and the books: what a company works with all day.</p>
<div class="buttons">
${
  demo
    ? html`<form method="post" action="${prefix}/demo"><button type="submit">Open as the demo operator</button></form>
<a class="quiet" href="${prefix}/console/">Sign in as somebody else</a>`
    : html`<a class="button" href="${prefix}/console/">Sign in</a>`
}
</div>
</section>
<ul class="cards">
<li class="card"><a class="whole" href="${prefix}/docs/"><strong>API reference</strong></a>
<p>The interfaces for merchants and their people, operators and members, with every field and refusal.</p></li>
<li class="card"><strong>Payment page</strong>
<p>What a customer sees, in four languages. <code>npm run try</code> makes a deposit and prints its
link.</p></li>
<li class="card"><strong>Member app</strong>
<p>For the people who receive and send the money: made for their phones.</p>
${
  demo
    ? html`<div class="buttons small"><form method="post" action="${prefix}/demo/member"><button class="second" type="submit">Open as a demo member</button></form>
<a class="quiet" href="${prefix}/member/">Sign in</a></div>`
    : html`<p><a href="${prefix}/member/">Sign in</a></p>`
}</li>
<li class="card"><strong>Merchant portal</strong>
<p>For a merchant’s own people: their orders, money, webhooks and keys.</p>
${
  demo?.portal
    ? html`<div class="buttons small"><form method="post" action="${prefix}/demo/portal"><button class="second" type="submit">Open as the demo merchant</button></form>
<a class="quiet" href="${prefix}/portal/">Sign in</a></div>`
    : html`<p><a href="${prefix}/portal/">Sign in</a></p>`
}</li>
</ul>
<footer>
<p>${
  demo
    ? 'This is a demo on this machine: its people and secrets are in demo.json beside the data. Nobody elsewhere sees this page.'
    : 'You see this because you are on the machine itself. Others see only where to sign in.'
}</p>
</footer>`;

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1650b8"/><path d="M8 23V9l8 8 8-8v14" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>';
const MARK = ICON.replace('<svg ', '<svg class="mark" width="56" height="56" aria-hidden="true" ');

const STYLE = `
:root { --page: #f3f5f8; --card: #fff; --ink: #17202c; --quiet: #4d5868; --line: #e1e6ec; --accent: #1650b8; --on-accent: #fff; --hover: #123f91; }
@media (prefers-color-scheme: dark) {
  :root { --page: #11161d; --card: #1b222c; --ink: #eef2f7; --quiet: #b3bdca; --line: #2c3541; --accent: #9cc0ff; --on-accent: #0c1b33; --hover: #bcd5ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/24px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 880px; margin: 0 auto; padding: clamp(24px, 8vh, 96px) 24px 48px; }
.narrow { max-width: 400px; margin: 0 auto; }
header { display: flex; flex-wrap: wrap; gap: 16px; align-items: center; margin-bottom: 32px; }
header > div { flex: 1 1 260px; }
.mark { flex: none; }
h1 { margin: 0; font-size: 28px; line-height: 36px; letter-spacing: -.01em; }
h2 { margin: 0; font-size: 20px; line-height: 28px; }
p { margin: 4px 0 0; color: var(--quiet); }
.narrow h1 { margin-bottom: 16px; }
.card { position: relative; padding: 20px 24px; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
.first { margin-bottom: 16px; padding: 24px; border-color: var(--accent); }
.buttons { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: center; margin-top: 20px; }
button, .button { display: inline-block; padding: 10px 20px; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--hover); }
.small { margin-top: 12px; }
.second { padding: 7px 16px; border: 1px solid var(--accent); background: none; color: var(--accent); }
.second:hover { background: var(--accent); color: var(--on-accent); }
a { color: var(--accent); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 16px; margin: 0; padding: 0; list-style: none; }
.whole { color: inherit; text-decoration: none; }
.whole::after { position: absolute; inset: 0; border-radius: 12px; content: ""; }
.card:has(.whole):hover { border-color: var(--accent); }
.whole strong { color: var(--accent); }
code { padding: 0 4px; border-radius: 4px; background: var(--page); font: 14px ui-monospace, Menlo, Consolas, monospace; color: var(--ink); white-space: nowrap; }
footer { margin-top: 32px; font-size: 14px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.whole:focus-visible { outline: none; }
.whole:focus-visible::after { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

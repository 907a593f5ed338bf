import { html, raw } from 'hono/html';
import type { DemoSignIns } from '../platform/http/deps.ts';
import { ICON, ownPage } from '../platform/http/own-page.ts';

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
export const startPageHtml = ({ prefix, nonce, here, demo }: StartPage) =>
  ownPage(
    { title: here ? 'Munshi' : 'Sign in', nonce },
    here ? tour(prefix, demo) : signIns(prefix),
  );

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
<li class="card"><a class="whole" href="${prefix}/docs/"><strong>For merchants’ developers</strong></a>
<p>How a backend takes and makes payments, from the first order to going live.</p></li>
<li class="card"><a class="whole" href="${prefix}/apis/"><strong>The other APIs</strong></a>
<p>The interfaces for operators, members and merchants’ people, with every field and refusal.</p></li>
<li class="card"><strong>Payment page</strong>
<p>What a customer sees, in four languages. <code>npm run try</code> completes a deposit and prints
its link.</p></li>
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

const MARK = ICON.replace('<svg ', '<svg class="mark" width="56" height="56" aria-hidden="true" ');

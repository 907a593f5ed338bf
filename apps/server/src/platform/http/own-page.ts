import { html, raw } from 'hono/html';

type Html = ReturnType<typeof html>;

/** A page of the service's own, of one style with a nonce, and without scripts. */
export const ownPage = (
  { title, nonce }: { readonly title: string; readonly nonce: string },
  content: Html,
) => html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style nonce="${nonce}">${raw(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>`;

/** The content security policy of such a page. */
export const ownPagePolicy = (nonce: string) =>
  `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1650b8"/><path d="M8 23V9l8 8 8-8v14" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>';

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

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked, type Tokens } from 'marked';

const ROOT = path.join(import.meta.dirname, '../../..');

/** What merchants read, in this order. The name begins the anchors of a page. */
export const PAGES: Readonly<Record<string, string>> = {
  integrate: 'docs/integrate.md',
  testing: 'docs/testing.md',
  'merchant-api': 'docs/merchant-api.md',
  signing: 'docs/signing.md',
  webhooks: 'docs/webhooks.md',
  sdk: 'packages/sdk/README.md',
  portal: 'docs/portal.md',
};

export interface Page {
  readonly name: string;
  readonly title: string;
  readonly html: string;
  readonly parts: readonly { readonly title: string; readonly anchor: string }[];
}

export const readPages = (): readonly Page[] =>
  Object.entries(PAGES).map(([name, file]) =>
    pageOf(name, file, readFileSync(path.join(ROOT, file), 'utf8')),
  );

/** Links in parentheses of their own to pages that are not here: reasons, which go with them. */
const ASIDE = /\s\(\[[^\]]+\]\(([^)\s]+)\)\)/g;

/** A page as a part of the one page: its headings are one level lower. */
export function pageOf(name: string, file: string, markdown: string): Page {
  const parts: { title: string; anchor: string }[] = [];
  let title = '';
  const here = (target: string) => addressOf(name, file, target);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const inline = this.parser.parseInline(tokens);
        if (depth === 1) {
          title = inline;
          return `<h2 id="${name}">${inline}</h2>\n`;
        }
        const anchor = `${name}/${slugOf(text)}`;
        if (depth === 2) parts.push({ title: inline, anchor });
        return `<h${depth + 1} id="${anchor}"><a href="#${anchor}">${inline}</a></h${depth + 1}>\n`;
      },
      link({ href, tokens }) {
        const inline = this.parser.parseInline(tokens);
        const address = here(href);
        return address === undefined ? inline : `<a href="${address}">${inline}</a>`;
      },
      // What is wider than a phone scrolls by itself, by the keyboard too.
      table(token: Tokens.Table) {
        const rowOf = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map((row) => rowOf(row, 'td')).join('\n');
        return `<div class="wide" tabindex="0"><table><thead>${rowOf(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    },
  });
  const kept = markdown.replace(ASIDE, (aside, target) =>
    here(target) === undefined ? '' : aside,
  );
  const html = marked.parse(kept) as string;
  return { name, title, html, parts };
}

/** Where a link of a page leads on the one page; undefined to what is not on it. */
function addressOf(name: string, file: string, target: string): string | undefined {
  if (/^https?:/.test(target)) return target;
  const [to = '', anchor] = target.split('#');
  const linked = path.posix.join(path.posix.dirname(file), to);
  const page = to === '' ? name : Object.keys(PAGES).find((one) => PAGES[one] === linked);
  return page === undefined ? undefined : `#${page}${anchor === undefined ? '' : `/${anchor}`}`;
}

/** The anchor of a heading, as in a viewer of the repository. */
const slugOf = (heading: string) =>
  heading
    .replaceAll(/[`*]/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

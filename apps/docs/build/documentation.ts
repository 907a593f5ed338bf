import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { type Page, readPages } from './pages.ts';

const STYLE = path.join(import.meta.dirname, '../src/style.css');

/**
 * Writes the merchants' pages, their contents and the style into index.html, which is whole when it
 * arrives.
 */
export const documentation = (): Plugin => ({
  name: 'documentation',
  transformIndexHtml: {
    order: 'pre',
    handler(html) {
      const pages = readPages();
      const after = pages.findIndex(({ name }) => name === 'merchant-api') + 1;
      return html
        .replace('<!-- style -->', () => `<style>${style()}</style>`)
        .replaceAll('<!-- contents -->', () => contents(pages, after))
        .replace('<!-- first pages -->', () => pages.slice(0, after).map(section).join(''))
        .replace('<!-- other pages -->', () => pages.slice(after).map(section).join(''));
    },
  },
});

const section = ({ name, html }: Page) =>
  `<section aria-labelledby="${name}">\n${html}</section>\n`;

function contents(pages: readonly Page[], after: number): string {
  const items = pages.map(
    ({ name, title, parts }) =>
      `<li><a href="#${name}">${title}</a><ul>${parts.map((part) => `<li><a href="#${part.anchor}">${part.title}</a></li>`).join('')}</ul></li>`,
  );
  return `<ul>${items.toSpliced(after, 0, '<li><a href="#try">Try it</a></li>').join('\n')}</ul>`;
}

/** Without comments and the white space of its lines. */
const style = () =>
  readFileSync(STYLE, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '');

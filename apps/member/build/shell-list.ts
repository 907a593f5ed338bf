import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Tells the service worker what it keeps: every file of this build, and a name for all of them. */
export const shellList = (publicDir: string): Plugin => ({
  name: 'shell-list',
  apply: 'build',
  enforce: 'post', // Vite takes chunks away that only import another one
  generateBundle(_options, bundle) {
    const worker = bundle['sw.js'];
    if (worker?.type !== 'chunk') return;
    const built = Object.keys(bundle).filter((file) => file.startsWith('assets/'));
    const own = existsSync(publicDir) ? readdirSync(publicDir) : [];
    const files = [...built, ...own].sort();
    const page = bundle['index.html'];
    const content = page?.type === 'asset' ? String(page.source) : '';
    const build = createHash('sha256').update(`${files}${content}`).digest('hex').slice(0, 12);
    worker.code = `const SHELL = ${JSON.stringify({ build, files })};\n${worker.code}`;
  },
});

import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { build, type Plugin, type PluginOption } from 'vite';
import { LEAST_BROWSERS, targetsOf } from '../../../bin/least-browsers.ts';

interface ServiceWorker {
  readonly entry: string;
  readonly publicDir: string;
  readonly plugins: readonly PluginOption[];
}

/**
 * Builds the service worker as one file that imports nothing, which every browser can start, and
 * gives it what it keeps: every file of the app's build, and a name for all of them.
 */
export const serviceWorker = ({ entry, publicDir, plugins }: ServiceWorker): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post', // Vite takes files out again
    async handler(_options, bundle) {
      const code = await bundled(entry, plugins);
      const built = Object.keys(bundle).filter((file) => file.startsWith('assets/'));
      const own = existsSync(publicDir) ? readdirSync(publicDir) : [];
      const files = [...built, ...own].sort();
      const page = bundle['index.html'];
      const content = page?.type === 'asset' ? String(page.source) : '';
      const name = createHash('sha256')
        .update(`${files}${content}${code}`)
        .digest('hex')
        .slice(0, 12);
      const source = `const SHELL = ${JSON.stringify({ build: name, files })};\n${code}`;
      this.emitFile({ type: 'asset', fileName: 'sw.js', source });
    },
  },
});

async function bundled(entry: string, plugins: readonly PluginOption[]): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [...plugins],
    build: {
      target: targetsOf(LEAST_BROWSERS.member),
      write: false,
      copyPublicDir: false,
      rolldownOptions: { input: entry, output: { format: 'iife' } },
    },
  });
  if (!('output' in result)) throw new Error('the service worker is to be one build');
  return result.output[0].code;
}

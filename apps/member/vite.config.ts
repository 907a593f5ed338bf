import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, mergeConfig } from 'vite';
import { webAppConfig } from '../../bin/web-app-config.ts';
import { lightEndpoints } from './build/light-endpoints.ts';
import { shellList } from './build/shell-list.ts';

const at = (name: string) => path.join(import.meta.dirname, name);

const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

export default defineConfig(({ command }) =>
  mergeConfig(webAppConfig('member', command), {
    define: { __VERSION__: JSON.stringify(version) },
    plugins: [lightEndpoints(), shellList(at('public'))],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      rolldownOptions: {
        input: { index: at('index.html'), sw: at('src/sw.ts') },
        output: {
          entryFileNames: ({ name }: { readonly name: string }) =>
            name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js',
          // What is loaded first is one file, which compresses better than four.
          codeSplitting: {
            groups: [{ name: 'first', tags: ['$initial'], test: /^(?!.*\/sw\.ts)/ }],
          },
          // Texts of a part that is loaded later are told from those of the first load.
          chunkFileNames: ({ facadeModuleId }: { readonly facadeModuleId?: string | null }) => {
            const [, part] = /\/src\/([\w-]+)\/texts\//.exec(facadeModuleId ?? '') ?? [];
            return `assets/${part === undefined ? '' : `${part}-`}[name]-[hash].js`;
          },
        },
      },
    },
  }),
);

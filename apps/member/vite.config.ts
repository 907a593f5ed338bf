import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Features } from 'lightningcss';
import { defineConfig, mergeConfig, type Rolldown } from 'vite';
import { lightEndpoints } from '../../bin/light-endpoints.ts';
import { webAppConfig } from '../../bin/web-app-config.ts';
import { olderCss } from './build/older-css.ts';
import { serviceWorker } from './build/service-worker.ts';

const at = (name: string) => path.join(import.meta.dirname, name);

const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

export default defineConfig(({ command }) =>
  mergeConfig(webAppConfig('member', command), {
    define: { __VERSION__: JSON.stringify(version) },
    plugins: [
      serviceWorker({
        entry: at('src/sw.ts'),
        publicDir: at('public'),
        plugins: [lightEndpoints()],
      }),
    ],
    css: {
      postcss: { plugins: [olderCss()] },
      lightningcss: { exclude: Features.LogicalProperties },
    },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      rolldownOptions: {
        // Syntax that it cannot lower stays as it is, and the oldest browsers would show nothing.
        onLog(...[level, log, pass]: Parameters<NonNullable<Rolldown.InputOptions['onLog']>>) {
          if (log.code === 'TOLERATED_TRANSFORM') throw new Error(log.message);
          pass(level, log);
        },
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          // What is loaded first is one file, which compresses better than four.
          codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
          // Texts of a part that is loaded later are distinguished from those of the first load.
          chunkFileNames: ({ facadeModuleId }: { readonly facadeModuleId?: string | null }) => {
            const [, part] = /\/src\/([\w-]+)\/texts\//.exec(facadeModuleId ?? '') ?? [];
            return `assets/${part === undefined ? '' : `${part}-`}[name]-[hash].js`;
          },
        },
      },
    },
  }),
);

import { defineConfig, mergeConfig } from 'vite';
import { webAppConfig } from '../../bin/web-app-config.ts';
import { lightEndpoints } from './build/light-endpoints.ts';

export default defineConfig(({ command }) =>
  mergeConfig(webAppConfig('member', command), {
    plugins: [lightEndpoints()],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  }),
);

import { defineConfig, mergeConfig } from 'vite';
import { webAppConfig } from '../../bin/web-app-config.ts';
import { documentation } from './build/documentation.ts';

export default defineConfig(({ command }) =>
  mergeConfig(webAppConfig('docs', command), { plugins: [documentation()] }),
);

import react from '@vitejs/plugin-react';
import { defineConfig, mergeConfig } from 'vite';
import { webAppConfig } from '../../bin/web-app-config.ts';

export default defineConfig(({ command }) =>
  mergeConfig(webAppConfig('portal', command), { plugins: [react()] }),
);

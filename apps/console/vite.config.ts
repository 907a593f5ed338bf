import react from '@vitejs/plugin-react';
import { defineConfig, mergeConfig } from 'vite';
import { webAppConfig } from '../../bin/web-app-config.ts';

export default defineConfig(({ command }) =>
  mergeConfig(webAppConfig('console', command), { plugins: [react()] }),
);

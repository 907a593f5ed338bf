import react from '@vitejs/plugin-react';
import { defineConfig, mergeConfig } from 'vite';
import { deskAppConfig } from '../../bin/web-app-config.ts';

export default defineConfig(({ command }) =>
  mergeConfig(deskAppConfig('portal', command), { plugins: [react()] }),
);

import react from '@vitejs/plugin-react';
import { defineConfig, mergeConfig } from 'vite';
import { webAppConfig } from '../../bin/web-app-config.ts';

export default defineConfig(({ command }) =>
  mergeConfig(webAppConfig('console', command), {
    plugins: [react()],
    build: {
      rolldownOptions: {
        onLog(level: string, log: { code?: string }, show: (level: string, log: object) => void) {
          // "use client" stands in thousands of files, for frameworks that render on servers.
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') show(level, log);
        },
      },
    },
  }),
);

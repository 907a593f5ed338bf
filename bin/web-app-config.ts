import { mergeConfig, type UserConfig } from 'vite';
import { componentStyles } from './component-styles.ts';
import { GROWN_WITH_TEXT } from './grown-with-text.ts';
import { LEAST_BROWSERS, targetsOf } from './least-browsers.ts';
import { lightEndpoints } from './light-endpoints.ts';

/** Where `npm start` listens, for `npm run dev -- apps/<app>`. */
const SERVICE = process.env['SERVICE_URL'] ?? 'http://127.0.0.1:3000';

/** The settings of Vite for every web app, by the name that it is served under. */
export const webAppConfig = (
  name: Exclude<keyof typeof LEAST_BROWSERS, 'checkout'>,
  command: 'build' | 'serve',
): UserConfig => ({
  // Built, it works under any path: the service writes where it is into index.html.
  base: command === 'serve' ? `/${name}/` : './',
  plugins: [lightEndpoints()],
  server: { proxy: { '^/(api|apis|openapi|pay|sdk)/': SERVICE } },
  build: {
    target: targetsOf(LEAST_BROWSERS[name]),
    assetsInlineLimit: 0, // the content security policy has no data: for scripts and styles
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000, // tests/browser/**/size.test.ts have the budgets
    rolldownOptions: {
      onLog(level, log, show) {
        // "use client" stands in thousands of files, for frameworks that render on servers.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') show(level, log);
      },
    },
  },
});

/**
 * Of the apps that people use at a desk. What the app and its first screen are made of comes as one
 * file, and not as one for each set of screens that share a part of it.
 */
export const deskAppConfig = (name: 'console' | 'portal', command: 'build' | 'serve'): UserConfig =>
  mergeConfig(webAppConfig(name, command), {
    plugins: [componentStyles(command)],
    css: { postcss: { plugins: [GROWN_WITH_TEXT] } },
    build: {
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
  });

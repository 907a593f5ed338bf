import { defineConfig } from 'vitest/config';

/** What `npm run test:mutation` runs: the tests of this folder, which read nothing outside of it. */
export default defineConfig({ test: { include: ['src/**/*.test.ts'] } });

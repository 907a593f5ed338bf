import { configDefaults, defineConfig } from 'vitest/config';

/** What `npm run test:mutation` runs: the tests of this folder that read nothing outside of it. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'src/states-doc.test.ts'],
  },
});

import type { ScreenState } from './state.ts';

export const SIGN_IN_STATES: readonly ScreenState[] = [
  {
    name: 'sign-in',
    role: null,
    path: '/',
    reach: (page) => page.getByLabel('Username').waitFor(),
  },
  {
    name: 'sign-in-refused',
    role: null,
    path: '/',
    async reach(page) {
      await page.getByLabel('Username').fill('nobody');
      await page.getByLabel('Password', { exact: true }).fill('not the password');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
    },
  },
];

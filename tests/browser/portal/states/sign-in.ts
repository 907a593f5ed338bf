import type { PortalState } from './state.ts';

export const SIGN_IN_STATES: readonly PortalState[] = [
  {
    name: 'sign-in',
    role: null,
    path: () => '/',
    reach: (page) => page.getByLabel('Username').waitFor(),
  },
  {
    name: 'sign-in-refused',
    role: null,
    path: () => '/',
    async reach(page) {
      await page.getByLabel('Username').fill('nobody');
      await page.getByLabel('Password', { exact: true }).fill('not the password');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'recover-bad-link',
    role: null,
    path: () => '/recover',
    reach: (page) => page.getByText('This link cannot be used').waitFor(),
  },
  {
    name: 'security',
    path: () => '/security',
    reach: (page) => page.getByRole('row', { name: /This window/ }).waitFor(),
  },
];

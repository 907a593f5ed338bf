import type { PortalState } from './state.ts';

export const SETTINGS_STATES: readonly PortalState[] = [
  {
    name: 'settings',
    path: () => '/settings',
    reach: (page) => page.getByLabel('Default callback URL').waitFor(),
  },
  {
    name: 'settings-viewer',
    role: 'viewer',
    path: () => '/settings',
    reach: (page) => page.getByText('Only an admin can change this.').waitFor(),
  },
  {
    name: 'settings-addresses',
    path: () => '/settings/addresses',
    async reach(page) {
      await page.getByRole('button', { name: /^Add my address now/ }).click();
      await page.getByLabel('Address or block').waitFor();
    },
  },
  {
    name: 'settings-page',
    path: () => '/settings/page',
    async reach(page) {
      await page.getByLabel('Name for customers').fill('Bazaar');
      await page.frameLocator('iframe').getByText('Bazaar', { exact: true }).waitFor();
    },
  },
  {
    name: 'settings-alerts',
    path: () => '/settings/alerts',
    reach: (page) =>
      page
        .getByText(/below your limit of/)
        .first()
        .waitFor(),
  },
  {
    name: 'settings-alerts-new',
    of: 'newcomer',
    path: () => '/settings/alerts',
    reach: (page) => page.getByText('No alerts yet').waitFor(),
  },
  {
    name: 'settings-people',
    path: () => '/settings/people',
    reach: (page) => page.getByText('(you)').waitFor(),
  },
  {
    name: 'settings-people-viewer',
    role: 'viewer',
    path: () => '/settings/people',
    reach: (page) => page.getByText('(you)').waitFor(),
  },
  {
    name: 'settings-people-invite',
    path: () => '/settings/people',
    async reach(page) {
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await page.getByLabel('Username').waitFor();
    },
  },
  {
    name: 'settings-people-invite-admin',
    path: () => '/settings/people',
    async reach(page) {
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
      await page.getByRole('option', { name: /^Admin/ }).click();
      await page.getByText('Admins are let in with a one-time code.').waitFor();
    },
  },
];

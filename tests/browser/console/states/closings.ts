import { operatorClient, secondOperator } from '../../../support/operator-client.ts';
import type { Service } from '../../../support/service.ts';
import { prepareReports } from './reports.ts';
import type { ScreenState } from './state.ts';

interface Row {
  readonly memberId: string;
  readonly memberName: string;
  readonly closing: number;
}

/** A closing that another operator has counted; one float is short, one could not be counted. */
async function counted(service: Service): Promise<Record<string, string>> {
  await prepareReports(service);
  await discardOpen(service);
  const counter = operatorClient(service);
  const { data } = await counter.post('/closings', {});
  const path = `/closings/${data.closingId}`;
  const { data: members } = await counter.get(`${path}/members?limit=200`);
  for (const [at, { memberId, closing }] of (members as readonly Row[]).entries())
    await counter.post(
      `${path}/counts`,
      at === 0
        ? { memberId, counted: closing - 250.5, note: 'One transfer is not on the bank’s list yet' }
        : at === 1
          ? { memberId, counted: null, note: 'On leave; counted on Monday' }
          : { memberId, counted: closing },
    );
  return { closingId: data.closingId };
}

async function signed(service: Service): Promise<Record<string, string>> {
  const made = await counted(service);
  const second = secondOperator(service);
  const path = `/closings/${made['closingId']}`;
  const { countedAt } = (await second.get(path)).data;
  await second.post(`${path}/sign`, { countedAt, note: 'Seen with the bank’s lists' });
  return made;
}

async function discardOpen(service: Service): Promise<void> {
  const operator = operatorClient(service);
  const { data } = await operator.get('/closings');
  const open = data.find(({ status }: { readonly status: string }) => status === 'open');
  if (open !== undefined)
    await operator.post(`/closings/${open.closingId}/discard`, { note: 'for the next state' });
}

const closing = ({ closingId }: Record<string, string>) => `/closings/${closingId}`;

export const CLOSINGS_STATES: readonly ScreenState[] = [
  {
    name: 'days',
    prepare: signed,
    path: '/reports/days',
    reach: (page) => page.getByText('Short by').first().waitFor(),
  },
  {
    name: 'days-close',
    prepare: prepareReports,
    path: '/reports/days',
    async reach(page) {
      await page.getByRole('button', { name: 'Close a day' }).click();
      await page.getByRole('dialog').getByText('It ends').first().waitFor();
    },
  },
  {
    name: 'closing-count',
    prepare: async (service) => {
      await discardOpen(service);
      return prepareReports(service);
    },
    path: '/reports/days',
    async reach(page) {
      await page.getByRole('button', { name: 'Close a day' }).click();
      await page.getByRole('combobox', { name: 'It ends' }).click();
      await page.getByRole('option', { name: 'Now, for a shift' }).click();
      await page.getByRole('button', { name: 'Begin to count' }).click();
      const [first, second] = [page.locator('[data-count]').first(), page.locator('[data-count]')];
      await first.fill('149999.5');
      await second.nth(1).fill('-');
      await page.getByText('Not counted').first().waitFor();
    },
    leave: discardOpen,
  },
  {
    name: 'closing-sign',
    role: 'approver',
    prepare: counted,
    path: closing,
    async reach(page) {
      await page.getByRole('button', { name: 'Sign', exact: true }).waitFor();
      await page.getByText('On leave').waitFor();
    },
    leave: discardOpen,
  },
  {
    name: 'closing-sign-dialog',
    role: 'approver',
    prepare: counted,
    path: closing,
    async reach(page) {
      await page.getByRole('button', { name: 'Sign', exact: true }).click();
      await page.getByRole('dialog').getByText('never changes').waitFor();
    },
    leave: discardOpen,
  },
  {
    name: 'closing-signed',
    role: 'viewer',
    prepare: signed,
    path: closing,
    reach: (page) => page.getByText('Seen with the bank').waitFor(),
  },
  {
    name: 'closing-none',
    path: '/closings/00000000-0000-4000-8000-000000000000',
    reach: (page) => page.getByText('It does not exist.').waitFor(),
  },
];

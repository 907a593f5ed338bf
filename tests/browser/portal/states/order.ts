import type { PortalState } from './state.ts';

export const ORDER_STATES: readonly PortalState[] = [
  {
    name: 'order-paid',
    path: ({ paid }) => `/orders/${paid.orderId}`,
    reach: (page) => page.getByText('The payment is being checked.').waitFor(),
  },
  {
    name: 'order-open',
    path: ({ open }) => `/orders/${open.orderId}`,
    reach: (page) => page.getByAltText('QR code of the payment link').waitFor(),
  },
  {
    name: 'order-open-viewer',
    role: 'viewer',
    path: ({ open }) => `/orders/${open.orderId}`,
    reach: (page) => page.getByText('has not confirmed a payment yet').waitFor(),
  },
  {
    name: 'order-payout',
    path: ({ payout }) => `/orders/${payout.orderId}`,
    reach: (page) => page.getByText('It is being paid out.').waitFor(),
  },
  {
    name: 'order-failing-webhook',
    path: ({ failing }) => `/orders/${failing.orderId}`,
    async reach(page) {
      await page.getByText('Attempts and body').click();
      await page.getByRole('region', { name: 'The bytes of the body' }).waitFor();
    },
  },
  {
    name: 'order-resend-dialog',
    path: ({ failing }) => `/orders/${failing.orderId}`,
    async reach(page) {
      await page.getByRole('button', { name: 'Resend the webhook…' }).click();
      await page.getByRole('button', { name: 'Resend the outcome' }).waitFor();
    },
  },
  {
    name: 'order-ask-dialog',
    role: 'viewer',
    path: ({ failing }) => `/orders/${failing.orderId}`,
    async reach(page) {
      await page.getByRole('button', { name: 'Ask about this order…' }).click();
      await page.getByLabel('Your question').waitFor();
    },
  },
  {
    name: 'order-long-names',
    path: ({ long }) => `/orders/${long.orderId}`,
    reach: (page) => page.getByText('PKR 99,999,999.99').first().waitFor(),
  },
  {
    name: 'order-not-found',
    path: () => '/orders/00000000-0000-4000-8000-000000000000',
    reach: (page) => page.getByRole('alert').waitFor(),
  },
];

export const texts = {
  title: 'Delivery',
  facts: 'About it',
  event: 'Event',
  order: 'Order',
  merchant: 'Merchant',
  url: 'Address',
  id: 'Delivery id',
  made: 'Made',
  next: 'Next attempt',
  retry: 'Retry now',
  resend: 'Resend…',
  resendTitle: 'Send the outcome again',
  resendLead:
    'A new delivery of the present outcome, with a new id and time. Deliveries that are still retried are superseded.',
  resendDeed: 'Resend the outcome',
} as const;

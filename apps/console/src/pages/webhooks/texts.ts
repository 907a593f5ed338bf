export const texts = {
  title: 'Webhooks',
  receivers: 'Receivers',
  deliveries: 'Deliveries',
  merchant: 'Merchant',
  noDeliveries: 'Nothing has been sent yet.',
  onlyTo: 'Only what goes to',
  everyReceiver: 'Every receiver',
  replay: 'Replay…',
  replayTitle: 'Send webhooks again',
  replayLead:
    'For a receiver that has lost deliveries. Each order that had one since then gets a new one with its current outcome.',
  since: 'Since',
  counting: 'Counting the orders…',
  choose: 'Choose a merchant and a time.',
  wouldNotify: (orders: number, more: boolean) =>
    `${more ? 'More than ' : ''}${orders.toLocaleString('en')} ${orders === 1 && !more ? 'webhook is' : 'webhooks are'} sent again.`,
  replayButton: (orders: number) =>
    `Send ${orders.toLocaleString('en')} ${orders === 1 ? 'webhook' : 'webhooks'} again`,
} as const;

/** The words of frame and sign-in that are the portal's own. Each screen has its own. */
export const texts = {
  product: 'Merchant portal',
  signIn: {
    lead: 'Merchant portal',
    passwordLead: 'A new password signs you out everywhere else.',
    forgotten:
      'Forgotten your password? Ask an admin of your company, or your operator, for a recovery link.',
  },
  setUpCodes: 'Set up your one-time codes',
  testEvent: 'Send a test event',
  screens: {
    home: 'Home',
    orders: 'Orders',
    money: 'Money',
    webhooks: 'Webhooks',
    developers: 'Developers',
    settings: 'Settings and people',
    security: 'Sign-in and one-time codes',
    delivery: 'Delivery',
    order: 'Order',
  },
} as const;

import type { Texts } from './texts.ts';

export const en: Texts = {
  order: (reference) => `Order ${reference}`,
  timeLeft: 'Time left',
  until: (time) => `until ${time}`,
  language: 'Language',
  returnTo: (merchant) => `Return to ${merchant}`,
  returning: 'You will be taken back in a few seconds.',
  stay: 'Stay on this page',
  copy: 'Copy',
  copied: 'Copied',
  connectionLost: 'No connection. We keep trying; nothing is lost.',
  minutesLeft: (minutes) => (minutes === 1 ? 'One minute left.' : `${minutes} minutes left.`),
  timeIsUp: 'The time is up.',

  methodAccount: (provider) => `${provider} account`,
  methodTill: (provider) => `${provider} Till ID`,
  methodQr: (provider) => `${provider} QR code`,
  methodBank: 'Bank account',

  methods: (amount) => ({ heading: 'Choose how to pay', text: `Pick a way to pay ${amount}.` }),
  noMethods: 'No way to pay is available for this order. Please go back to the merchant.',
  ready: { heading: 'Your payment is ready', text: 'Continue to see where to pay.' },
  open: 'Continue',
  waiting: {
    heading: 'One moment, please',
    text: 'We are looking for an account that can receive your payment. Keep this page open: it looks again every 10 seconds. Please do not send money yet.',
  },
  checkAgain: 'Check again',
  payer: {
    heading: 'Which account will you pay from?',
    text: 'We need it to recognise your payment. The QR code comes next.',
  },
  payerNumber: (provider) => `Your ${provider} account number`,
  payerNumberHint: 'Digits only, for example 03001234567.',
  payerIban: (provider) => `Last 4 digits of your ${provider} IBAN`,
  payerIbanHint: 'You find the IBAN in your app, under your account.',
  showCode: 'Show the QR code',
  pay: (amount, method) => ({
    heading: `Send exactly ${amount}`,
    text: `By ${method}, in one payment, to:`,
  }),
  accountNumber: 'Account number',
  tillId: 'Till ID',
  accountTitle: 'Account name',
  amount: 'Amount',
  code: 'Code',
  qrLabel: 'QR code to pay with',
  saveImage: 'Save image',
  stepsHeading: 'How to pay',
  stepsAccount: (provider, amount, digits) => [
    `Open your ${provider} app and choose to send money.`,
    `Enter the account number and exactly ${amount}. The name must be the one above.`,
    `Send it, then come back and enter the last ${digits} digits of the transaction ID.`,
  ],
  stepsTill: (provider, amount, digits) => [
    `Open your ${provider} app and choose to pay by Till ID.`,
    `Enter the Till ID and exactly ${amount}. The name must be the one above.`,
    `Pay, then come back and enter the last ${digits} digits of the transaction ID.`,
  ],
  stepsQr: (provider, amount) => [
    `Scan the code with your ${provider} app. On this phone: save the image and open it in the app.`,
    `Pay exactly ${amount}. The name must be the one above.`,
    'Come back and press “I have paid”.',
  ],
  digits: (count) => `Last ${count} digits of the transaction ID`,
  digitsHint: 'The transaction ID is in the receipt of your payment.',
  paid: 'I have paid',
  checkPayment: (amount) => ({
    heading: 'One last check',
    text: `Confirm only if ${amount} has left your account.`,
  }),
  digitsEntered: 'Last digits of the transaction ID',
  confirmPayment: 'Yes, I have paid',
  change: 'Go back',
  verifying: {
    heading: 'We are checking your payment',
    text: 'Thank you. This usually takes a few minutes. You may close this page and come back by the same link.',
  },
  review: {
    heading: 'Our team is looking into it',
    text: 'This takes a little longer than usual. Nothing is lost, and you need not do anything.',
  },
  completed: (amount) => ({
    heading: 'Payment received',
    text: `Your payment of ${amount} has arrived. Thank you.`,
  }),
  rejected: (merchant) => ({
    heading: 'Payment not found',
    text: `We could not find a payment that matches this order. If you have paid, contact ${merchant} and give the order number above.`,
  }),
  expired: {
    heading: 'This payment has expired',
    text: 'It was not paid in time. Please do not send money for it any more.',
  },
  cancelled: {
    heading: 'This payment was cancelled',
    text: 'Please do not send money for it any more.',
  },
  switchMethod: 'Pay another way',
  switchMethodHint: 'Only if you have not sent the money yet.',
  cancelPayment: 'Cancel this payment',
  cancelPaymentHint: 'Do not cancel if you have sent the money already.',
  cancelPaymentYes: 'Yes, cancel the payment',

  account: (method) => ({
    heading: 'Where should we send your money?',
    text: `Enter your ${method}. You can check it before it is final.`,
  }),
  holderName: 'Name of the account holder',
  holderNameHint: 'As it is written in the account.',
  checkFirst: 'Continue',
  checkAccount: (amount) => ({
    heading: 'Is this your account?',
    text: `We will send ${amount} to it. This cannot be changed afterwards.`,
  }),
  method: 'Method',
  confirmAccount: 'Yes, send it here',
  queued: {
    heading: 'We have your account',
    text: 'Your withdrawal waits for somebody to send it. You may close this page; your money is safe.',
  },
  onItsWay: (amount, account) => ({
    heading: 'Your money is on its way',
    text: `${amount} is being sent to your account ${account}. You may close this page.`,
  }),
  paidOut: (amount, account) => ({
    heading: 'Your money was sent',
    text: `${amount} was sent to your account ${account}.`,
  }),
  failed: (merchant) => ({
    heading: 'This withdrawal was not paid out',
    text: `No money was sent. Contact ${merchant} if you have questions.`,
  }),
  cancelWithdrawal: 'Cancel this withdrawal',
  cancelWithdrawalHint: 'The money stays with the merchant.',
  cancelWithdrawalYes: 'Yes, cancel the withdrawal',

  wrongDigits: (count) => `Enter the last ${count} digits of the transaction ID.`,
  wrongPayerNumber: 'Enter your account number: digits only.',
  wrongPayerIban: 'Enter the last 4 digits of your IBAN.',
  missingNumber: 'Enter the account number.',
  missingName: 'Enter the name of the account holder.',
  tooLong: (characters) => `Use ${characters} characters or fewer.`,
  unusable: 'A character in it cannot be used. Please type it again.',

  movedOn: 'That can no longer be done: the order has moved on. This is how it stands now.',
  nobodyForMethod:
    'Nobody can receive a payment that way right now. Choose another way, or try again shortly.',
  methodUnavailable: 'This way to pay is not available. Please choose another one.',
  switchesUsed:
    'The way to pay was changed as often as this order allows. Please pay the way shown here.',

  linkInvalid: {
    heading: 'This link is not valid',
    text: 'Open the link exactly as you received it, or go back to the merchant for a new one.',
  },
  linkExpired: {
    heading: 'This link has expired',
    text: 'Please do not send money for it any more. Go back to the merchant to start again.',
  },
  withdrawalLinkExpired: {
    heading: 'This link has expired',
    text: 'Go back to the merchant to see how your withdrawal stands, or to start again.',
  },
  claimHeading: 'Have you paid already?',
  claimHint:
    'Leave us the digits of your transaction ID. Our team will look for your payment. Contact the merchant as well.',
  claimDigits: 'Digits of the transaction ID',
  wrongClaim: 'Enter 4 to 20 digits of the transaction ID.',
  claim: 'Send the digits',
  claimed: {
    heading: 'We have your digits',
    text: 'Our team will look for your payment. The merchant tells you the result. You may close this page.',
  },
  claimsFull: 'We already have digits from you, and our team is looking for your payment.',
  unreadable: {
    heading: 'That did not work',
    text: 'We could not read what was sent. Go back and try again.',
  },
  unavailable: {
    heading: 'One moment, please',
    text: 'We cannot answer just now. Nothing was lost. Try again in a few seconds.',
  },
  tryAgain: 'Try again',
};

/**
 * Every text of the hosted page. Arguments arrive ready to be read inside a sentence: amounts and
 * times written by `Intl`, and each isolated, so that neither turns the other around.
 */
export const en = {
  // Around every screen
  order: (reference: string) => `Order ${reference}`,
  shopReference: 'Merchant’s reference',
  help: (merchant: string) => `Help from ${merchant}`,
  timeLeft: 'Time left',
  until: (time: string) => `until ${time}`,
  /** For a phone of another country. */
  timesOf: {
    PKR: 'Times are Pakistan time.',
    INR: 'Times are India time.',
    BDT: 'Times are Bangladesh time.',
  },
  language: 'Language',
  returnTo: (merchant: string) => `Return to ${merchant}`,
  returning: (seconds: number) => `You will be taken back in ${seconds} seconds.`,
  stay: 'Stay on this page',
  staying: 'You stay on this page.',
  returningLater: 'Without an answer you will be taken back in a minute.',
  copy: 'Copy',
  copied: 'Copied',
  connectionLost: 'No connection. We keep trying; nothing is lost.',
  held: 'No connection. What you sent goes out by itself when it is back.',
  minutesLeft: (minutes: number) =>
    minutes === 1 ? 'One minute left.' : `${minutes} minutes left.`,
  timeIsUp: 'The time is up.',
  lastMinutes: 'Less than two minutes are left. Please do not start a transfer now.',

  // Methods, from the names of those who run them
  methodNames: {
    account: (provider: string) => `${provider} account`,
    till: (provider: string) => `${provider} Till ID`,
    upi: (provider: string) => `${provider} UPI ID`,
    qr: (provider: string) => `${provider} QR code`,
    bank: () => 'Bank account',
  },

  /** For a provider whose names are another country's: distinguished by a letter. */
  wallet: (letter: string) => `Wallet ${letter}`,

  /** The same below the provider's name. */
  kindNames: {
    account: 'Account',
    till: 'Till ID',
    upi: 'UPI ID',
    qr: 'QR code',
    bank: 'Bank account',
  },

  // Deposits
  methods: (amount: string) => ({
    heading: 'Choose how to pay',
    text: `Pick a way to pay ${amount}.`,
  }),
  notServed: 'Not available right now',
  noMethods: 'No way to pay is available for this order. Please go back to the merchant.',
  ready: { heading: 'Your payment is ready', text: 'Continue to see where to pay.' },
  open: 'Continue',
  waiting: {
    heading: 'One moment, please',
    text: 'We are looking for an account that can receive your payment. Please do not send money yet.',
  },
  /** What the script does meanwhile. */
  keepOpen: 'Keep this page open: it looks again every 10 seconds.',
  checkAgain: 'Check again',
  payer: {
    heading: 'Which account will you pay from?',
    text: 'We need it to recognise your payment. The QR code comes next.',
  },
  payerNumber: (provider: string) => `Your ${provider} account number`,
  payerNumberHint: (example: string) => `Digits only, for example ${example}.`,
  payerIban: (provider: string) => `Last 4 digits of your ${provider} IBAN`,
  payerIbanHint: 'You find the IBAN in your app, under your account.',
  /** Where accounts have no IBAN: outside Pakistan. */
  payerLast4: (provider: string) => `Last 4 digits of your ${provider} account number`,
  payerLast4Hint: 'You find the number in your app, under your account.',
  showCode: 'Show the QR code',
  pay: (amount: string) => `Send exactly ${amount}`,
  sendExactly: 'Send exactly',
  /**
   * Above the account's number; for a method that the operator has named, its name alone stands
   * there.
   */
  payTo: {
    account: (provider: string) => `To this ${provider} account`,
    till: (provider: string) => `To this ${provider} Till ID`,
    upi: () => 'To this UPI ID',
    qr: (provider: string) => `To this ${provider} account`,
    bank: () => 'To this bank account',
  },
  nameShown: 'Name that your app will show',
  receiver: (title: string, merchant: string) => `${title} collects for ${merchant}.`,
  otherName: 'If your app shows another name, do not pay.',
  neverPin: 'Never tell anybody your PIN or OTP.',
  sentIt: 'I have sent it: enter the digits',
  /** Above them, each in a third of the page. */
  payingSteps: ['Send money', 'Enter digits', 'Done'] as [string, string, string],
  openUpi: 'Pay in a UPI app',
  accountNumber: 'Account number',
  tillId: 'Till ID',
  upiId: 'UPI ID',
  accountTitle: 'Account name',
  amount: 'Amount',
  /** Of an order with more than two decimals, below what is sent of it. */
  rounded: (amount: string) => `The order is ${amount}. Apps send two decimals.`,
  orderAmount: 'Order amount',
  code: 'Code',
  qrLabel: 'QR code to pay with',
  /** Below a payment code that does not hold the amount. */
  enterAmount: (amount: string) => `After scanning, enter exactly ${amount}.`,
  saveImage: 'Save image',
  stepsHeading: 'How to pay',
  /** In the app of this name; `sendMoney` where its menu is known to say that. */
  stepsOpen: {
    account: (app: string) => `Open your ${app} app and choose to send money.`,
    sendMoney: (app: string) => `Open your ${app} app and choose “Send Money”.`,
    till: (app: string) => `Open your ${app} app and choose to pay by Till ID.`,
    upi: () => 'Open your UPI app and choose to pay to a UPI ID.',
    qr: (app: string) =>
      `Scan the code with your ${app} app. On this phone: save the image and open it in the app.`,
  },
  stepsPay: {
    account: (amount: string, digits: number) => [
      `Enter the account number and exactly ${amount}. The name must be the one above.`,
      `Send it, then come back and enter the last ${digits} digits of the transaction ID.`,
    ],
    till: (amount: string, digits: number) => [
      `Enter the Till ID and exactly ${amount}. The name must be the one above.`,
      `Pay, then come back and enter the last ${digits} digits of the transaction ID.`,
    ],
    upi: (amount: string, digits: number) => [
      `Enter the UPI ID and exactly ${amount}. The name must be the one above.`,
      `Pay, then come back and enter the last ${digits} digits of the transaction ID.`,
    ],
  },
  stepsQr: (amount: string) => [
    `Pay exactly ${amount}. The name must be the one above.`,
    'Come back and press “I have paid”.',
  ],
  digits: (count: number) => `Last ${count} digits of the transaction ID`,
  digitsTaken: (count: number, digits: string) =>
    `Only the last ${count} digits count: ${digits}. Please compare them.`,
  /** What an ID of transactions is called where this currency is paid. */
  digitsHint: {
    PKR: 'The SMS or the receipt calls it TID or Trx ID.',
    INR: 'The number of 12 digits: UTR, UPI Ref No. or UPI transaction ID. Not the ID with letters.',
    BDT: 'The SMS or the receipt calls it TrxID or TxnID.',
  },
  pasteHint: 'You can also paste the whole message.',
  /** Of a pasted text. */
  whichId: 'This text has more than one transaction ID. Which one is of this payment?',
  noIdFound: 'No transaction ID was found in this text.',
  /** Of IDs with letters between their digits. */
  lettersHint: (id: string, digits: string) => `Leave the letters out: ${digits} for ${id}.`,
  zerosHint: (count: number) => `If it has fewer than ${count} digits, zeros come in front.`,
  paid: 'I have paid',
  checkPayment: (amount: string) => ({
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
  /** Where it is known how long it usually takes: as `minutes` says it. */
  verifyingIn: (minutes: string) => ({
    heading: 'We are checking your payment',
    text: `Thank you. This usually takes about ${minutes}. You may close this page and come back by the same link.`,
  }),
  minutes: (minutes: number) => (minutes === 1 ? 'a minute' : `${minutes} minutes`),
  /** What may still be said of a payment that is looked for. */
  add: {
    heading: 'Something to add or correct?',
    digits: 'Not the right digits?',
    once: 'You can correct them once.',
    amount: 'Another amount that you sent',
    amountHint: 'If it was not exactly the one asked for. Do not send any more.',
    paidBy: 'Who paid',
    paidByHint: 'The name on the account that you paid from, or its last 4 digits.',
    picture: 'Picture of the receipt',
    pictureHint: 'A screenshot of at most 1 MB (PNG, JPEG or WebP).',
    send: 'Send',
    wrongAmount: 'Enter the amount that you sent, if it is another than the order’s.',
    wrongPaidBy: 'Enter a name, or the last digits of the account.',
    wrongPicture: 'Choose a picture of at most 1 MB: PNG, JPEG or WebP.',
  },
  corrected: (former: string, digits: string) => `${former}, corrected to ${digits}`,
  /** A member looks for it until then. */
  takesOver: (time: string) => `By ${time} our team takes over.`,
  youSent: (amount: string) => `You sent ${amount}`,
  looking: 'The receiver is looking for it',
  changesByItself: 'This page changes by itself.',
  isTold: (merchant: string) => `${merchant} is told`,
  orderNumber: 'Order',
  paidTo: 'Paid to',
  time: 'Time',
  keepLink: 'Copy the link to come back',
  share: 'Share',
  print: 'Print',
  save: 'Save',
  /** Of a payment that its customer has confirmed. */
  review: {
    heading: 'Our team is looking into it',
    text: 'This takes a little longer than usual. We have the details of your payment, and you need not do anything.',
  },
  reviewUnpaid:
    'Please do not send money now. If you have sent it already, do not send it again: keep the transaction ID, and open this link again after 15 minutes to tell us.',
  reviewPayout:
    'This takes a little longer than usual. Nothing is lost, and you need not do anything.',
  /** What goes wrong with payments, and what to do then. */
  doubts: {
    heading: 'Something is not right?',
    otherAmount: {
      asked: 'I sent another amount',
      said: 'Do not send any more. Confirm it here all the same: on the next page you tell us the amount that you sent.',
    },
    noId: {
      asked: 'I cannot find the transaction ID',
      said: 'Look in the history of your app, on the receipt or in the SMS. It is also called TID, TrxID, TxnID or UTR.',
    },
    pending: {
      asked: 'My app says “pending” or “failed”',
      said: 'Do not send it again yet. Pending: wait until your app says that it was sent, then confirm it here. If the time runs out, open this link again and tell us there. Failed: make sure that the money is still in your account before you pay again.',
    },
  },
  /** Where nothing is left to do, and no merchant's page to go back to. */
  mayClose: 'You may close this page.',
  completed: (amount: string) => ({
    heading: 'Payment received',
    text: `Your payment of ${amount} has arrived. Thank you.`,
  }),
  rejectedBecause: {
    notReceived: 'The receiver has got no payment that matches this order.',
    otherAmount: 'The receiver has got a payment, but of another amount.',
    otherSender: 'The receiver has got a payment, but from another account.',
    reversed: 'The payment came and was taken back.',
    other: 'We could not find a payment that matches this order.',
  },
  /** What to do about a payment that the receiver saw. */
  whenSeen: (merchant: string) => ({
    otherAmount: `Do not pay again. Give ${merchant} the order number and the amount that you sent.`,
    otherSender: `Do not pay again. Give ${merchant} the order number and the name of the account that you paid from.`,
    reversed: `Look in your app: if the money is back, go to ${merchant} to start again. If it is not, ask your bank or wallet for it, and give ${merchant} the order number.`,
  }),
  expired: 'This payment has expired',
  switchMethod: 'Pay another way',
  switchMethodHint: 'Only if you have not sent the money yet.',
  cancelPayment: 'Cancel this payment',
  cancelPaymentHint: 'Do not cancel if you have sent the money already.',
  cancelPaymentYes: 'Yes, cancel the payment',

  // Withdrawals
  account: 'Where should we send your money?',
  accountFor: {
    account: (provider: string) =>
      `Enter your ${provider} account. You can check it before it is final.`,
    till: (provider: string) =>
      `Enter your ${provider} Till ID. You can check it before it is final.`,
    upi: () => 'Enter your UPI ID. You can check it before it is final.',
    qr: (provider: string) =>
      `Enter your ${provider} account. You can check it before it is final.`,
    bank: () => 'Enter your bank account. You can check it before it is final.',
  },
  accountForNamed: (method: string) =>
    `${method}: enter your account. You can check it before it is final.`,
  /** How an account is written, by what it is and where. */
  accountHints: {
    upi: 'For example name@bank.',
    iban: 'The IBAN, or the bank and the account number.',
    ifsc: 'The account number and the IFSC.',
    bank: 'The bank, the branch and the account number.',
  },
  mobileHint: (example: string) => `For example ${example}.`,
  /** What looks wrong with the account that was entered. */
  lookAgain: {
    heading: 'Please look once more',
    iban: 'This IBAN has a slip somewhere. Compare it with your app, digit by digit.',
    bank: 'Which bank is it? Give its name too, or the IBAN.',
    ifsc: 'The IFSC is missing: 11 characters, such as SBIN0001234.',
    upi: 'A UPI ID has an @ in it, such as name@bank.',
  },
  lookAgainAtMobile: (example: string) =>
    `Numbers of this wallet usually have 11 digits, such as ${example}.`,
  holderName: 'Name of the account holder',
  holderNameHint: 'As it is written in the account.',
  checkFirst: 'Continue',
  checkAccount: (amount: string) => ({
    heading: 'Is this your account?',
    text: `We will send ${amount} to it. This cannot be changed afterwards.`,
  }),
  method: 'Method',
  confirmAccount: 'Yes, send it here',
  /** Of an account that looks wrong. */
  changeAccount: 'Change it',
  queued: (merchant: string) => ({
    heading: 'We have your account',
    text: `Your withdrawal waits for somebody to send it. If this account is wrong, tell ${merchant} at once. You may close this page; your money is safe.`,
  }),
  onItsWay: (amount: string, account: string, merchant: string) => ({
    heading: 'We are sending your money',
    text: `${amount} is being sent to your account ${account}. If this account is wrong, tell ${merchant} at once. You may close this page.`,
  }),
  paidOut: (amount: string, account: string, merchant: string) => ({
    heading: 'Your money was sent',
    text: `${amount} was sent to your account ${account}. If it does not arrive, give ${merchant} the order number.`,
  }),
  failed: (merchant: string) => ({
    heading: 'This withdrawal was not paid out',
    text: `No money was sent: it is still with ${merchant}. Contact them if you have questions.`,
  }),
  cancelWithdrawal: 'Cancel this withdrawal',
  cancelWithdrawalHint: 'The money stays with the merchant.',
  cancelWithdrawalYes: 'Yes, cancel the withdrawal',

  // What a field lacks
  wrongDigits: (count: number) => `Enter the last ${count} digits of the transaction ID.`,
  wrongPayerNumber: 'Enter your account number: digits only.',
  wrongPayerIban: 'Enter the last 4 digits of your IBAN.',
  wrongPayerLast4: 'Enter the last 4 digits of your account number.',
  missingNumber: 'Enter the account number.',
  missingName: 'Enter the name of the account holder.',
  tooShort: 'Enter at least 4 letters or digits.',
  tooLong: (characters: number) => `Use ${characters} characters or fewer.`,
  unusable: 'A character in it cannot be used. Please type it again.',

  // What cannot be done now
  movedOn: 'That can no longer be done: the order has moved on. This is how it stands now.',
  /** Of a page that shows the account of a method that was left. */
  accountChanged:
    'The account to pay to has changed since, and nothing was confirmed. Not paid yet? Pay as it is shown here now. Paid to the former account? Do not pay again: keep the transaction ID, and tell us on this link once the time is up.',
  nobodyForMethod:
    'Nobody can receive a payment that way right now. Choose another way, or try again shortly.',
  methodUnavailable: 'This way to pay is not available. Please choose another one.',
  /** After as many changes of method as an order allows; the present one stays. */
  switchesUsed:
    'The way to pay was changed as often as this order allows. Please pay the way shown here.',

  // Links that do not work
  linkInvalid: {
    heading: 'This link is not valid',
    text: 'Open the link exactly as you received it, or go back to the merchant for a new one. If you have paid, tell the merchant the transaction ID.',
  },
  linkExpired: 'This link has expired',
  late: (merchant: string) => ({
    unpaid: {
      heading: 'This link has expired',
      text: `Please do not send money for it any more. If you have not paid, go back to ${merchant} to start again.`,
    },
    cancelled: {
      heading: 'This payment was cancelled',
      text: `Please do not send money for it any more. If you have not paid, go back to ${merchant} to start again.`,
    },
    looking: {
      heading: 'Our team is looking into it',
      text: `Please do not pay again. ${merchant} tells you the result.`,
    },
    paid: {
      heading: 'Paid. Do not pay again.',
      text: `Your payment has arrived. If you have questions, give ${merchant} the order number.`,
    },
    notConfirmed: {
      heading: 'Payment not confirmed',
      text: `If you have paid, do not pay again. Contact ${merchant} and give the order number.`,
    },
    noAccount: {
      heading: 'This link has expired',
      text: `No account was given in time, and no money was sent. Go back to ${merchant} to start again.`,
    },
    queued: {
      heading: 'Your withdrawal is waiting',
      text: `It waits for somebody to send it. This link has expired: ask ${merchant} how it stands.`,
    },
    onItsWay: {
      heading: 'We are sending your money',
      text: `This link has expired: ask ${merchant} how it stands.`,
    },
    payoutReview: {
      heading: 'Our team is looking into it',
      text: `Nothing is lost, and you need not do anything. ${merchant} tells you the result.`,
    },
    paidOut: {
      heading: 'Your money was sent',
      text: `If it has not arrived, give ${merchant} the order number.`,
    },
    notPaidOut: {
      heading: 'This withdrawal was not paid out',
      text: `No money was sent: it is still with ${merchant}. Contact them if you have questions.`,
    },
  }),

  // Late claims
  claimHeading: 'Have you paid already?',
  claimHint:
    'Leave us the digits of your transaction ID. Our team will look for your payment. Contact the merchant as well.',
  /** Where no payment was found by these digits. */
  claimHintNotFound: (digits: string) =>
    `No payment was found by the digits ${digits}. Compare them with your SMS or receipt, and send the right ones.`,
  /** Where the account that the customer pays from stands for digits. */
  claimHintPayer:
    'Our team will look for a payment from the account that you gave. Contact the merchant as well.',
  claimYes: 'Yes, I have sent the money',
  /** Where the receiver saw one. */
  claimAnother: 'I have sent another payment',
  claimNo: (merchant: string) => `No, back to ${merchant}`,
  claimedAt: (digits: string, time: string) => `You left the digits ${digits} on ${time}.`,
  claimedPayerAt: (time: string) => `You told us on ${time} that you have paid.`,
  claimOpen: 'Our team is looking for this payment. The merchant tells you the result.',
  claimClosed: 'Our team has finished looking. Ask the merchant for the result.',
  claimAgain: 'Send other digits',
  claimAddDigits: 'Send digits of the transaction ID as well',
  claimDigits: 'Digits of the transaction ID',
  wrongClaim: 'Enter 4 to 20 digits of the transaction ID.',
  claim: 'Send the digits',
  claimPayer: 'Yes, look for my payment',
  claimed: 'We have your digits',
  claimedPayer: 'We will look for your payment',
  /** On the expired link of a customer whose payment is looked for. */
  doNotPayAgain: 'Please do not pay again before you know the result.',
  claimsFull: 'We already know of your payment, and our team is looking for it.',

  // Pages that know no order
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

/** A catalogue of another language that lacks a text does not compile. */
export type Texts = typeof en;

/** A screen's heading and what it says below. */
export type Said = Texts['payer'];

/**
 * What a method pays to. Each kind has sentences of its own, since a noun put into a sentence bends
 * it: its gender and its case differ from language to language. `upi` stands for `till` where the
 * currency is INR.
 */
export type MethodKind = keyof Texts['methodNames'];

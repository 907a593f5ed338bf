import type { Currency, ReasonCode } from '@munshi/core';

/** A screen's heading and what it says below. */
export interface Said {
  readonly heading: string;
  readonly text: string;
}

/** What a customer asks themselves, and what is said to them. */
export interface Doubt {
  readonly asked: string;
  readonly said: string;
}

/**
 * What a method pays to. Each kind has sentences of its own, since a noun put into a sentence bends
 * it: its gender and its case differ from language to language. `upi` stands for `till` where the
 * currency is INR.
 */
export type MethodKind = 'account' | 'till' | 'upi' | 'qr' | 'bank';
type ByKind<Text> = Readonly<Record<MethodKind, Text>>;

/** What a link that has stopped working still says of its order. */
export type LateText =
  | 'unpaid'
  | 'cancelled'
  | 'looking'
  | 'paid'
  | 'notConfirmed'
  | 'noAccount'
  | 'queued'
  | 'onItsWay'
  | 'payoutReview'
  | 'paidOut'
  | 'notPaidOut';

/**
 * Every text of the hosted page in one language: a catalogue that lacks one does not compile.
 * Arguments arrive ready to be read inside a sentence: amounts and times written by `Intl`, and
 * each isolated, so that neither turns the other around.
 */
export interface Texts {
  // Around every screen
  readonly order: (reference: string) => string;
  readonly shopReference: string;
  readonly help: (merchant: string) => string;
  readonly timeLeft: string;
  readonly until: (time: string) => string;
  readonly language: string;
  readonly returnTo: (merchant: string) => string;
  readonly returning: string;
  readonly stay: string;
  readonly staying: string;
  readonly returningLater: string;
  readonly copy: string;
  readonly copied: string;
  readonly connectionLost: string;
  readonly minutesLeft: (minutes: number) => string;
  readonly timeIsUp: string;
  readonly lastMinutes: string;

  // Methods, from the names of those who run them
  readonly methodNames: ByKind<(provider: string) => string>;

  /** For a provider whose names are another country's: distinguished by a letter. */
  readonly wallet: (letter: string) => string;

  /** The same below the provider's name. */
  readonly kindNames: ByKind<string>;

  // Deposits
  readonly methods: (amount: string) => Said;
  readonly notServed: string;
  readonly noMethods: string;
  readonly ready: Said;
  readonly open: string;
  readonly waiting: Said;
  /** What the script does meanwhile. */
  readonly keepOpen: string;
  readonly checkAgain: string;
  readonly payer: Said;
  readonly payerNumber: (provider: string) => string;
  readonly payerNumberHint: (example: string) => string;
  readonly payerIban: (provider: string) => string;
  readonly payerIbanHint: string;
  /** Where accounts have no IBAN: outside Pakistan. */
  readonly payerLast4: (provider: string) => string;
  readonly payerLast4Hint: string;
  readonly showCode: string;
  readonly pay: (amount: string) => string;
  readonly sendExactly: string;
  /**
   * Above the account's number; for a method that the operator has named, its name alone stands
   * there.
   */
  readonly payTo: ByKind<(provider: string) => string>;
  readonly nameShown: string;
  readonly receiver: (title: string, merchant: string) => string;
  readonly otherName: string;
  readonly neverPin: string;
  readonly sentIt: string;
  /** Above them, each in a third of the page. */
  readonly payingSteps: readonly [send: string, enterDigits: string, done: string];
  readonly openUpi: string;
  readonly accountNumber: string;
  readonly tillId: string;
  readonly upiId: string;
  readonly accountTitle: string;
  readonly amount: string;
  readonly code: string;
  readonly qrLabel: string;
  readonly saveImage: string;
  readonly stepsHeading: string;
  /** In the app of this name; `sendMoney` where its menu is known to say that. */
  readonly stepsOpen: Readonly<
    Record<'account' | 'sendMoney' | 'till' | 'upi' | 'qr', (app: string) => string>
  >;
  readonly stepsPay: Readonly<
    Record<'account' | 'till' | 'upi', (amount: string, digits: number) => readonly string[]>
  >;
  readonly stepsQr: (amount: string) => readonly string[];
  readonly digits: (count: number) => string;
  readonly digitsTaken: (count: number, digits: string) => string;
  /** What an ID of transactions is called where this currency is paid. */
  readonly digitsHint: Readonly<Record<Currency, string>>;
  /** Of IDs with letters between their digits. */
  readonly lettersHint: (id: string, digits: string) => string;
  readonly paid: string;
  readonly checkPayment: (amount: string) => Said;
  readonly digitsEntered: string;
  readonly confirmPayment: string;
  readonly change: string;
  readonly verifying: Said;
  /** Where it is known how long it usually takes: as `minutes` says it. */
  readonly verifyingIn: (minutes: string) => Said;
  readonly minutes: (minutes: number) => string;
  readonly youSent: (amount: string) => string;
  readonly looking: string;
  readonly changesByItself: string;
  readonly isTold: (merchant: string) => string;
  readonly orderNumber: string;
  readonly paidTo: string;
  readonly time: string;
  readonly keepLink: string;
  readonly share: string;
  readonly print: string;
  readonly save: string;
  /** Of a payment that its customer has confirmed. */
  readonly review: Said;
  readonly reviewUnpaid: string;
  readonly reviewPayout: string;
  /** What goes wrong with payments, and what to do then. */
  readonly doubts: (
    merchant: string,
  ) => Readonly<
    { heading: string } & Record<'otherAmount' | 'noId' | 'pending' | 'wrongDigits', Doubt>
  >;
  /** Where nothing is left to do, and no merchant's page to go back to. */
  readonly mayClose: string;
  readonly completed: (amount: string) => Said;
  readonly rejectedBecause: Readonly<Record<ReasonCode, string>>;
  readonly expired: string;
  readonly switchMethod: string;
  readonly switchMethodHint: string;
  readonly cancelPayment: string;
  readonly cancelPaymentHint: string;
  readonly cancelPaymentYes: string;

  // Withdrawals
  readonly account: string;
  readonly accountFor: ByKind<(provider: string) => string>;
  readonly accountForNamed: (method: string) => string;
  /** How an account is written, by what it is and where. */
  readonly accountHints: Readonly<Record<'upi' | 'iban' | 'ifsc' | 'bank', string>>;
  readonly mobileHint: (example: string) => string;
  /** What looks wrong with the account that was entered. */
  readonly lookAgain: Readonly<Record<'heading' | 'iban' | 'bank' | 'ifsc' | 'upi', string>>;
  readonly lookAgainAtMobile: (example: string) => string;
  readonly holderName: string;
  readonly holderNameHint: string;
  readonly checkFirst: string;
  readonly checkAccount: (amount: string) => Said;
  readonly method: string;
  readonly confirmAccount: string;
  /** Of an account that looks wrong. */
  readonly changeAccount: string;
  readonly queued: (merchant: string) => Said;
  readonly onItsWay: (amount: string, account: string, merchant: string) => Said;
  readonly paidOut: (amount: string, account: string, merchant: string) => Said;
  readonly failed: (merchant: string) => Said;
  readonly cancelWithdrawal: string;
  readonly cancelWithdrawalHint: string;
  readonly cancelWithdrawalYes: string;

  // What a field lacks
  readonly wrongDigits: (count: number) => string;
  readonly wrongPayerNumber: string;
  readonly wrongPayerIban: string;
  readonly wrongPayerLast4: string;
  readonly missingNumber: string;
  readonly missingName: string;
  readonly tooShort: string;
  readonly tooLong: (characters: number) => string;
  readonly unusable: string;

  // What cannot be done now
  readonly movedOn: string;
  readonly nobodyForMethod: string;
  readonly methodUnavailable: string;
  /** After as many changes of method as an order allows; the present one stays. */
  readonly switchesUsed: string;

  // Links that do not work
  readonly linkInvalid: Said;
  readonly linkExpired: string;
  readonly late: (merchant: string) => Readonly<Record<LateText, Said>>;

  // Late claims
  readonly claimHeading: string;
  readonly claimHint: string;
  /** Where no payment was found by these digits. */
  readonly claimHintNotFound: (digits: string) => string;
  /** Where the account that the customer pays from stands for digits. */
  readonly claimHintPayer: string;
  readonly claimYes: string;
  readonly claimNo: (merchant: string) => string;
  readonly claimedAt: (digits: string, time: string) => string;
  readonly claimedPayerAt: (time: string) => string;
  readonly claimOpen: string;
  readonly claimClosed: string;
  readonly claimAgain: string;
  readonly claimAddDigits: string;
  readonly claimDigits: string;
  readonly wrongClaim: string;
  readonly claim: string;
  readonly claimPayer: string;
  readonly claimed: string;
  readonly claimedPayer: string;
  /** On the expired link of a customer whose payment is looked for. */
  readonly doNotPayAgain: string;
  readonly claimsFull: string;

  // Pages that know no order
  readonly unreadable: Said;
  readonly unavailable: Said;
  readonly tryAgain: string;
}

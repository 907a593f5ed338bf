/**
 * What operators and merchants read when a member has chosen a reason: in English, whichever
 * language the member reads.
 */
export const en = {
  reject: {
    notReceived: 'The money is not in the account.',
    otherAmount: 'Another amount has come.',
    otherSender: 'The money came from another sender.',
    reversed: 'The money was taken back.',
    other: 'Another reason.',
  },
  cannotPay: 'The member cannot pay it; nothing was sent.',
  giveBack: {
    account: 'The member’s account does not work now.',
    away: 'The member has to go.',
    other: 'Another reason.',
  },
  report: {
    details: 'The customer’s details are wrong.',
    refused: 'The wallet refused the transfer.',
    down: 'The provider is down.',
    unsure: 'Not sure whether it was sent.',
    paid: 'The member says that it is paid already.',
  },
} as const;

/** Which reason these are the words of. */
export const reasonOf = <Reason extends string>(
  words: Readonly<Record<Reason, string>>,
  said: string | undefined,
): Reason | undefined => (Object.keys(words) as Reason[]).find((reason) => words[reason] === said);

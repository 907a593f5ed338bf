/**
 * The words of payment messages, as wallets and banks of Pakistan, India and Bangladesh write them:
 * pieces of regular expressions, in capitals. A new bank is a word here and a sample in
 * `testdata/payment-texts.ts`. Without lookbehind: phones of before 2023 load no file that has one.
 */

/** What names a transaction. */
const NAMES = [
  'TID|TRX|TXN|TX(?=[ .]*(?:ID|NO|REF))|TRAN(?:S(?:ACTION)?)?|UTR|RRN|STAN|REF(?:ERENCE)?|ID',
  'ٹی آئی ڈی|ٹرانز[یے]کشن|حوالہ|ریفرنس',
  'लेन-?देन|ट्रा[^\\s]{1,4}क्शन|संदर्भ|रेफ़?|यूटीआर',
  'ট্রানজ(?:ে|্যা)কশন|লেনদেন|রেফারেন্স',
].join('|');
/** What may follow it in a label. */
const PARTS = 'ID|NO|NUMBER|REF(?:ERENCE)?|آئی ڈی|نمبر|आई ?डी|नंबर|संख्या|আইডি|নম্বর|নং';
/** Between a label and its ID. */
const IS = 'IS|HAI|ہے|है|হল|হলো';
/** Ways of payment, before an ID of twelve characters or more: `UPI/412345678901`. */
const WAYS = 'UPI|IMPS|NEFT|RTGS';
const WAY_PARTS = 'DR|CR|P2A|P2M';

const LETTER = '[\\p{L}\\p{M}\\p{N}]';
const BEFORE = '(?:^|[^\\p{L}\\p{M}\\p{N}])';
const NAMED = `(?:UPI[\\s.]*)?(?:${NAMES})(?:[\\s.]*(?:${PARTS}))*`;

/** A label with what separates it from the ID. */
export const LABEL = new RegExp(`${BEFORE}${NAMED}[\\s:#=.]+(?=[\\p{L}\\p{N}])`, 'u');
/** The same inside of a message, where an ID follows at once. */
export const LABELS = new RegExp(
  `${BEFORE}(?:(${NAMED})(?:[\\s:#=./-]+(?:${IS})(?=[\\s:]))?([\\s:#=./-]+)|(?:${WAYS})[\\s:/-]+(?:(?:${WAY_PARTS})[/-])?)(?=[\\p{L}\\p{N}])`,
  'gu',
);
/** Alone these name orders, people and payers' notes as well. */
export const VAGUE = /^(?:REF(?:ERENCE)?|ID)$/;

const word = (words: string) => `${BEFORE}(?:${words})(?!${LETTER})`;

/** What an amount is of that was not paid. */
const NO_AMOUNT = [
  '[A-Z]*BAL(?:ANCE)?|AV(?:AI)?L[A-Z]*|AVBL|BAQAYA|FEES?|CHARGES?|TAX|VAT|FED|GST|[A-Z]*LIMIT|CASHBACK|DISCOUNT',
  'بیلنس|بقایا|فیس|چارجز|ٹیکس|حد',
  'शेष|बैलेंस|शुल्क|चार्ज|सीमा|लिमिट',
  'ব্যালেন্স|ফি|চার্জ|লিমিট',
].join('|');

/** Money came. */
const IN = [
  'RECEIVED|CREDITED|CREDIT OF|DEPOSITED|CASH IN|ADD(?:ED)? MONEY',
  '(?:SENT|PAID) YOU|(?:SENT|PAID|TRANSFERRED).{0,60}? (?:TO|INTO|IN) (?:YOU|YOUR (?:[^\\s]+ ){0,3}(?:ACCOUNT|A/C|AC|WALLET))',
  'M[AOU]{1,2}SOOL|WASOOL|JAMA|MIL(?:E|I|A|AY|GAYE?)|A{1,2}(?:YE|YI|YA|E)|(?:AAP|AP) KO .{0,60}?BHEJ[A-Z]*',
  'موصول|وصول|جمع|ملے|ملی|آئے|آپ کو .{0,60}?بھیج[^\\s]*',
  'प्राप्त|जमा|क्रेडिट|मिले|आए|आपको .{0,60}?भेज[^\\s]*',
  'পেয়েছেন|পেয়েছেন|জমা|গৃহীত|ক্রেডিট|এসেছে|আপনাকে .{0,60}?পাঠ[^\\s]*',
].join('|');

/** Money went. */
const OUT = [
  'SENT|SEND MONEY|PAID|DEBITED|DEBIT OF|TRANSFERRED|TRF|WITHDRAWN|SPENT|DEDUCTED|CASH OUT|PAYMENT (?:OF|TO|TK|RS)',
  'BHEJ[A-Z]*|ADA|KAT[AIE]?|NIKAL[A-Z]*|MUNTAQIL|TRANSFER (?:K[AI][A-Z]*|HUE?|HO)',
  'بھیج[^\\s]*|ادا|ادائیگی|منتقل|ٹرانسفر|کٹ[^\\s]*|نکال[^\\s]*',
  'भेज[^\\s]*|भुगतान|डेबिट|ट्रांसफर|कट[^\\s]*|निकाल[^\\s]*',
  'পাঠ[^\\s]*|সেন্ড মানি|ক্যাশ আউট|পেমেন্ট|ডেবিট|প্রদান|কেটে',
].join('|');

/** Nothing moved. */
const FAILED = ['FAILED|DECLINED|UNSUCCESSFUL|REVERSED|NAKAM', 'ناکام', 'असफल|विफल', 'ব্যর্থ'].join(
  '|',
);

const matching = (words: string) => new RegExp(word(words), 'u');
export const COMES = matching(IN);
export const GOES = matching(OUT);
export const FAILS = matching(FAILED);

const CURRENCY = 'RS|PKR|INR|BDT|TK|TAKA';
const SIGN = '[₹৳₨]|روپے|रु';
const CURRENCY_BEHIND = `${CURRENCY}|RUP(?:EES?|AY|AYE|EE)|روپے|روپیہ|रुपये|रुपए|টাকা`;
/** An amount alone, with its currency before or behind it. */
export const CURRENCY_AROUND = new RegExp(
  `^(?:(?:${CURRENCY}|${SIGN})[\\s.]*)?(.+?)(?:\\s?(?:${CURRENCY}|${CURRENCY_BEHIND}|${SIGN}))?$`,
  'iu',
);
const AMOUNT = 'AMOUNT|AMT|RAQAM|رقم|राशि|পরিমাণ|(?:DEBITED|CREDITED) (?:BY|FOR|WITH)';
const NUMBER = '\\d+(?:,\\d+)*(?:\\.\\d+)?(?![.,]?\\d)';
/** A number next to a currency, or after a word for an amount: in one of two groups. */
export const AMOUNTS = new RegExp(
  `(?:${BEFORE}(?:${CURRENCY}|(?:${AMOUNT})(?:\\s(?:OF|IS))?)|${SIGN})[\\s.:=]*(${NUMBER})|${BEFORE.replace('\\p{N}', '\\p{N}*,.-')}(${NUMBER})\\s?(?:/[-=]\\s?)?(?:${CURRENCY_BEHIND}|[₹৳])(?!${LETTER}|[\\s.:]*\\d)`,
  'gu',
);
/** Before an amount that was not paid, unless a later sentence is about money that moved. */
export const NOT_PAID = new RegExp(
  `${word(NO_AMOUNT)}(?!.*[.;!।۔] .*${word(`${IN}|${OUT}`)})`,
  'u',
);
/** Behind an amount that was not paid. */
export const NOT_PAID_BEHIND = new RegExp(
  `^\\s*(?:/[-=])?\\s*(?:KI|KA)?\\s*(?:${NO_AMOUNT})\\s*(?:[.,;)]|$|(?:CHARGED|DEDUCTED|KAT)${LETTER}*)`,
  'u',
);

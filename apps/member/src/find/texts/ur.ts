import type { FindTexts } from './en.ts';

export const ur: FindTexts = {
  label: 'پیغام پیسٹ کریں، یا رقم یا ہندسے لکھیں',
  paste: 'پیسٹ',
  clear: 'صاف کریں',
  pasteHere: 'خانے پر انگلی دبائے رکھیں، پھر پیسٹ چنیں۔',
  forged: 'پیغام جعلی ہو سکتا ہے۔ تصدیق سے پہلے اپنے والٹ میں دیکھیں۔',
  nothing: 'کوئی جاری آرڈر اس سے نہیں ملتا۔',
  amount: { fits: 'رقم', differs: 'کوئی اور رقم' },
  digits: { fits: 'ہندسے', differs: 'اور ہندسے', noId: 'پیغام میں آئی ڈی نہیں' },
  payer: { fits: 'گاہک', absent: 'گاہک کا نام نہیں' },
  wentOut: 'رقم باہر گئی',
  cameIn: 'رقم اندر آئی',
  warnings: { before: 'آرڈر سے پہلے', twoAmounts: 'دو رقمیں', twoIds: 'دو آئی ڈی' },
};

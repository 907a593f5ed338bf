import type { PasswordTexts } from './en.ts';

export const ur: PasswordTexts = {
  title: 'نیا پاس ورڈ چنیں',
  lead: (username) => `${username} کے لیے۔ سب فون سائن آؤٹ ہو جائیں گے۔`,
  password: 'نیا پاس ورڈ',
  hint: 'کم از کم 8 حروف، اور ایسا جو آسانی سے بوجھا نہ جا سکے۔',
  save: 'پاس ورڈ محفوظ کریں',
  saved: 'آپ کا پاس ورڈ بدل گیا',
  savedLead: 'اب اسی سے سائن اِن کریں۔',
  bad: 'یہ لنک استعمال نہیں ہو سکتا',
  askAnother: 'یہ استعمال ہو چکا ہے یا ایک دن سے پرانا ہے۔ اپنے آپریٹر سے نیا مانگیں۔',
};

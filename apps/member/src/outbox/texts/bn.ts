import type { PictureTexts } from './en.ts';

export const bn: PictureTexts = {
  add: 'ছবি, চাইলে',
  photo: 'ছবি তুলুন',
  gallery: 'গ্যালারি',
  name: (number) => `ছবি ${number}`,
  remove: (name) => `${name} সরান`,
  reading: 'ছবি তৈরি হচ্ছে',
  unreadable: 'এই ছবি খোলা যাচ্ছে না। অন্যটি বাছুন।',
  of: (amount) => `${amount}-এর ছবি`,
  sending: (n) => `${n}টি ছবি পাঠানো হচ্ছে`,
  waiting: (n) => `${n}টি ছবি অনলাইন হলেই পাঠানো হবে।`,
  refused: 'একটি ছবি নেওয়া হয়নি',
  tooMany: 'অপারেটরদের কাছে এই অর্ডারের পাঁচটি ছবি আগে থেকেই আছে।',
  title: 'আপনার ছবি',
  lead: 'অপারেটররা এগুলো দেখেন।',
  more: 'ছবি যোগ করুন',
  deleted: 'কিছুদিন পরে মুছে ফেলা, সবসময়ের মতো',
};

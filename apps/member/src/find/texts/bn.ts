import type { FindTexts } from './en.ts';

export const bn: FindTexts = {
  label: 'মেসেজ পেস্ট করুন, অথবা পরিমাণ বা ডিজিট লিখুন',
  paste: 'পেস্ট',
  clear: 'মুছুন',
  pasteHere: 'ঘরটিতে আঙুল চেপে ধরুন, তারপর পেস্ট বেছে নিন।',
  forged: 'মেসেজ নকল হতে পারে। নিশ্চিত করার আগে নিজের ওয়ালেটে দেখুন।',
  nothing: 'হাতে থাকা কোনো অর্ডার এর সঙ্গে মেলে না।',
  amount: { fits: 'পরিমাণ', differs: 'অন্য পরিমাণ' },
  digits: { fits: 'ডিজিট', differs: 'অন্য ডিজিট', noId: 'মেসেজে আইডি নেই' },
  payer: { fits: 'গ্রাহক', absent: 'গ্রাহকের নাম নেই' },
  wentOut: 'টাকা বেরিয়ে গেছে',
  cameIn: 'টাকা এসেছে',
  warnings: { before: 'অর্ডারের আগে', twoAmounts: 'দুটি পরিমাণ', twoIds: 'দুটি আইডি' },
};

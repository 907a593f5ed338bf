import type { PasswordTexts } from './en.ts';

export const hi: PasswordTexts = {
  title: 'नया पासवर्ड चुनें',
  lead: (username) => `${username} के लिए। सभी फ़ोन साइन आउट हो जाएँगे।`,
  password: 'नया पासवर्ड',
  hint: 'कम से कम 8 अक्षर, और ऐसा जो आसानी से न पकड़ा जाए।',
  save: 'पासवर्ड सहेजें',
  saved: 'आपका पासवर्ड बदल गया',
  savedLead: 'अब इसी से साइन इन करें।',
  bad: 'यह लिंक इस्तेमाल नहीं हो सकता',
  askAnother: 'यह इस्तेमाल हो चुका है या एक दिन से पुराना है। अपने ऑपरेटर से नया माँगें।',
};

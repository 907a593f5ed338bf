import type { FindTexts } from './en.ts';

export const hi: FindTexts = {
  label: 'संदेश पेस्ट करें, या राशि या अंक लिखें',
  paste: 'पेस्ट',
  clear: 'साफ़ करें',
  pasteHere: 'खाने पर उँगली दबाए रखें, फिर पेस्ट चुनें।',
  forged: 'संदेश नकली हो सकता है। पुष्टि से पहले अपने वॉलेट में देखें।',
  nothing: 'कोई चालू ऑर्डर इससे नहीं मिलता।',
  amount: { fits: 'राशि', differs: 'कोई और राशि' },
  digits: { fits: 'अंक', differs: 'दूसरे अंक', noId: 'संदेश में आईडी नहीं' },
  payer: { fits: 'ग्राहक', absent: 'ग्राहक का नाम नहीं' },
  wentOut: 'पैसे बाहर गए',
  cameIn: 'पैसे अंदर आए',
  warnings: { before: 'ऑर्डर से पहले', twoAmounts: 'दो राशियाँ', twoIds: 'दो आईडी' },
};

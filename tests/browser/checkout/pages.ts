export const LANGUAGES = ['en', 'ur', 'hi', 'bn'] as const;
export type Language = (typeof LANGUAGES)[number];

export const directionOf = (language: Language) => (language === 'ur' ? 'rtl' : 'ltr');

/** Where customers are sent back to; nothing listens there. */
export const RETURN_TO = 'https://shop.example';

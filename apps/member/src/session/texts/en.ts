/** Choosing a new password, in English; the shape of every other language. */
export const en = {
  title: 'Choose a new password',
  lead: (username: string) => `For ${username}. All phones are signed out.`,
  password: 'New password',
  hint: 'At least 8 characters, and not one that is easily guessed.',
  save: 'Save password',
  saved: 'Your password is changed',
  savedLead: 'Sign in with it now.',
  bad: 'This link cannot be used',
  askAnother: 'It has been used, or is older than a day. Ask your operator for another one.',
};
export type PasswordTexts = typeof en;

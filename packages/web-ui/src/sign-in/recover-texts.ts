/** Every word of the page that a recovery link or an invitation opens. */
export const texts = {
  title: 'Choose a new password',
  lead: (username: string) => `For ${username}. The link is good once.`,
  welcome: (name: string) => `Welcome, ${name}`,
  invited: (username: string) =>
    `Choose your password. You sign in with the username ${username} from then on.`,
  password: 'New password',
  passwordHint: 'At least 8 characters. Several words that do not belong together make a good one.',
  again: 'New password once more',
  differs: 'The two are not the same.',
  short: 'At least 8 characters.',
  save: 'Save the password',
  codesOff: 'One-time codes are off afterwards: set them up again when you are signed in.',
  saved: 'Your password is saved',
  savedLead: 'Sign in with it. Earlier sign-ins have ended.',
  signIn: 'Sign in',
  bad: 'This link cannot be used',
  noToken: 'The link is not complete. Open it as you were given it.',
  askAnother: 'Ask an admin for another one.',
} as const;

/** Every word of the sign-in. */
export const texts = {
  product: 'Munshi',
  title: 'Sign in',
  again: 'Sign in again',
  againLead: 'Your session has ended. What you typed is kept.',
  username: 'Username',
  password: 'Password',
  submit: 'Sign in',
  missing: 'Fill this in.',
  unavailable: 'The service cannot be reached',
  comesBack: 'This page opens by itself as soon as the service is back.',
} as const;

/** Personal data as lists and screens show it until somebody asks for all of it (D155). */

/** The last four characters of an account number. */
export const maskAccount = (account: string): string =>
  account.length <= 4 ? account : `…${[...account].slice(-4).join('')}`;

/** The first letter of each part of a name. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part) => `${[...part][0]}…`)
    .join(' ');

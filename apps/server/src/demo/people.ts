/**
 * The merchants and members of the demo's past. They are apart from those that demo.json names, and
 * none of these members is online at the end: an order of the living demo never goes to them.
 */

export const SHOPS = [
  {
    name: 'Bazaar Online',
    currencies: ['PKR'],
    defaultCallbackUrl: 'https://shop.example/munshi',
    displayName: 'Bazaar Online',
    brandColour: '#0a7a4b',
    supportEmail: 'help@shop.example',
    supportPhone: '+92 21 111 000 111',
    credit: 600_000,
  },
  {
    name: 'Karachi Electronics',
    currencies: ['PKR'],
    defaultCallbackUrl: 'https://orders.karachi-electronics.invalid/hooks',
    displayName: 'Karachi Electronics',
    brandColour: '#8a2d12',
    credit: 900_000,
  },
  {
    name: 'Dilli Mart',
    currencies: ['PKR', 'INR'],
    displayName: 'Dilli Mart',
    brandColour: '#5b2a86',
    credit: 300_000,
  },
  {
    name: 'Dhaka Daily',
    currencies: ['PKR', 'BDT'],
    displayName: 'Dhaka Daily',
    brandColour: '#00646e',
    credit: 250_000,
  },
] as const;
export type ShopName = (typeof SHOPS)[number]['name'];

/** From when on nobody answers under the second shop's address, before the end, in hours. */
export const SILENT_HOURS = 7;
export const SILENT_HOST = 'orders.karachi-electronics.invalid';

export const FEES = [
  { orderType: 'Deposit', walletType: 'ProviderA', percent: 1.5, minimum: 5 },
  { orderType: 'Deposit', walletType: 'ProviderB', percent: 1.5, minimum: 5 },
  { orderType: 'Deposit', walletType: 'TillID', percent: 1.2 },
  { orderType: 'Withdrawal', walletType: 'ProviderA', fixed: 10, percent: 0.5 },
  { orderType: 'Withdrawal', walletType: 'ProviderB', fixed: 10, percent: 0.5 },
  { orderType: 'Withdrawal', walletType: 'BankAccount', fixed: 25 },
] as const;

/** Those who work; the first one answers late on some days. */
export const WORKERS = [
  { name: 'Kamran Yousuf', username: 'kamran', float: 700_000 },
  { name: 'Hina Shah', username: 'hina', float: 900_000 },
  { name: 'Arjun Mehta', username: 'arjun', float: 800_000 },
  { name: 'Nasreen Begum', username: 'nasreen', float: 600_000 },
] as const;

/** Those who do not: new and waiting for approval; suspended; without an account yet. */
export const OTHERS = [
  { name: 'Tariq Mahmood', username: 'tariq' },
  { name: 'Farhan Ali', username: 'farhan' },
  { name: 'Meera Das', username: 'meera' },
] as const;

export const CUSTOMERS = [
  'Ayesha Khan',
  'Imran Malik',
  'Fatima Noor',
  'Zain Abbas',
  'Rubina Akhtar',
  'Saad Hussain',
  'Mariam Siddiqui',
  'Osman Ghani',
] as const;

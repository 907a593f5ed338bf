import { shortAccount } from '../format.ts';
import { methodName } from '../methods.ts';
import type { Me } from '../work/orders.ts';

/** `Easypaisa account 0310…567`. */
export const accountName = ({
  walletType,
  accountNumber,
}: Pick<Me['accounts'][number], 'walletType' | 'accountNumber'>): string =>
  `${methodName(walletType)} ${shortAccount(accountNumber)}`;

import { amountText, groupedAmount, plainAmount } from '@munshi/web';
import { createContext, useContext } from 'react';
import classes from './money.module.css';

/** True in lists: decimal points are aligned, whether an amount has no places or four. */
export const Aligned = createContext(false);

export interface MoneyProps {
  /** Decimal text, as the faces write it. */
  readonly amount: string;
  /** Left out where the column's heading says it. */
  readonly currency?: string;
  /** A change: a plus sign stands before what is above zero. */
  readonly signed?: boolean;
  /** Below others, as in lists. */
  readonly aligned?: boolean;
  /** The large number of a page. */
  readonly large?: boolean;
}

/** For the places that an amount has fewer than four. */
const ROOM: Readonly<Record<number, string | undefined>> = {
  2: classes['two'],
  3: classes['three'],
};

/** `PKR 1,500.50`. Selecting and copying it gives the plain digits. */
export function Money({
  amount,
  currency,
  signed = false,
  aligned: own,
  large = false,
}: MoneyProps) {
  const inList = useContext(Aligned);
  const aligned = own ?? inList;
  const shown = currency === undefined ? groupedAmount(amount) : amountText(amount, currency);
  const [whole, places = '00'] = shown.split('.');
  const room = aligned
    ? `${ROOM[places.length] ?? ''} ${places.length > 2 ? classes['long'] : ''}`
    : '';
  const plus = signed && !/^-|^0(\.0*)?$/.test(amount) ? '+' : '';
  return (
    <data
      value={plainAmount(amount)}
      translate="no"
      className={`number ${large ? classes['large'] : ''} ${room}`}
      onCopy={(event) => {
        event.clipboardData.setData('text/plain', plainAmount(amount));
        event.preventDefault();
      }}
    >
      {plus}
      {aligned ? `${whole}.${places}` : shown}
    </data>
  );
}

import { Checkbox } from '@mantine/core';
import { CURRENCIES, WALLET_TYPES, WITHDRAWAL_METHODS } from '@munshi/api';
import { Card, SaveBar } from '@munshi/web-ui';
import { useState } from 'react';
import { useMethodName } from '../../method-names.ts';
import classes from './merchant.module.css';
import type { TabProps } from './shown.ts';
import { useChange } from './use-change.ts';

const toggled = <T,>(all: readonly T[], chosen: readonly T[], one: T): readonly T[] =>
  all.filter((each) => chosen.includes(each) !== (each === one));

const hasMethod = (list: readonly string[], method: string) => list.includes(method);

/** A grid of method × type, and the currencies. */
export function Methods({ merchant }: TabProps) {
  const change = useChange(merchant);
  const nameOf = useMethodName();
  const [deposits, setDeposits] = useState(merchant.depositMethods);
  const [withdrawals, setWithdrawals] = useState(merchant.withdrawalMethods);
  const [currencies, setCurrencies] = useState(merchant.currencies);
  const chosen = {
    depositMethods: [...deposits],
    withdrawalMethods: WITHDRAWAL_METHODS.filter((method) => withdrawals.includes(method)),
    currencies: [...currencies],
  };
  return (
    <Card>
      <form
        className={classes['form']}
        onChange={change.touch}
        onSubmit={(event) => {
          event.preventDefault();
          void change.save(chosen);
        }}
      >
        <table className={classes['grid']}>
          <thead>
            <tr>
              <th scope="col">Method</th>
              <th scope="col">Deposits</th>
              <th scope="col">Withdrawals</th>
            </tr>
          </thead>
          <tbody>
            {WALLET_TYPES.map((method) => (
              <tr key={method}>
                <th scope="row">{nameOf(method)}</th>
                <td>
                  <Checkbox
                    aria-label={`${nameOf(method)}: Deposits`}
                    disabled={!change.mayChange}
                    checked={deposits.includes(method)}
                    onChange={() => setDeposits(toggled(WALLET_TYPES, deposits, method))}
                  />
                </td>
                <td>
                  {hasMethod(WITHDRAWAL_METHODS, method) ? (
                    <Checkbox
                      aria-label={`${nameOf(method)}: Withdrawals`}
                      disabled={!change.mayChange}
                      checked={withdrawals.includes(method)}
                      onChange={() => setWithdrawals(toggled(WALLET_TYPES, withdrawals, method))}
                    />
                  ) : (
                    <span className="quiet">Not possible</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <fieldset className={classes['choices']}>
          <legend>Currencies</legend>
          {CURRENCIES.map((currency) => (
            <Checkbox
              key={currency}
              label={currency}
              disabled={!change.mayChange}
              checked={currencies.includes(currency)}
              onChange={() => setCurrencies(toggled(CURRENCIES, currencies, currency))}
            />
          ))}
        </fieldset>
        <SaveBar change={change} typed={chosen} />
      </form>
    </Card>
  );
}

import type { Chance } from './chance.ts';
import type { Create } from './model/creation.ts';
import type { Act } from './model/index.ts';
import type { Model, ModelOrder, Terms } from './model/state.ts';
import { ALL_METHODS, type Method, PAYOUT_METHODS } from './model/tables.ts';

export const AMOUNTS = [
  '0.0001',
  '50',
  '100',
  '100',
  '100.00',
  '250.5',
  '333.3333',
  '499.9999',
  '999.9999',
];

export function creationOf(model: Model, chance: Chance): Act {
  const merchant = chance.oneIn(5) ? 'stall' : 'shop';
  const key = merchant === 'stall' ? 'stall 1' : chance.oneIn(4) ? 'shop 2' : 'shop 1';
  const before = model.orders.filter((order) => order.asked.key === key);
  // While hardly anybody is there, payouts queue up.
  const queues = Object.values(model.members).filter(({ online }) => online).length < 2;
  if (before.length > 0 && chance.oneIn(6)) return repeatOf(chance.pick(before), chance);
  return {
    act: 'create',
    merchant,
    key,
    idempotencyKey: keyOf(chance),
    ...contentOf(termsOf(chance, queues && chance.oneIn(2)), chance),
  };
}

/** One of many equal deposits, of the method that many members serve. */
export function rushOf(chance: Chance): Act {
  const terms = {
    kind: 'Deposit',
    amount: '100',
    currency: 'PKR',
    reference: null,
    method: 'ProviderA',
    account: null,
    accountName: null,
  } as const;
  return {
    act: 'create',
    merchant: 'shop',
    key: 'shop 1',
    idempotencyKey: keyOf(chance),
    ...contentOf(terms, chance),
  };
}

export const keyOf = (chance: Chance) => `key ${chance.number(1_000_000)}`;

/** Few bodies carry no mark of their own, so that some are alike by chance. */
function contentOf(terms: Terms, chance: Chance) {
  const details = {
    digits: 4 + chance.number(5),
    retries: chance.number(4),
    callback: chance.oneIn(4),
  };
  const mark = chance.oneIn(6) ? 'same' : `${chance.number(1_000_000)}`;
  return bodied({ terms, ...details }, mark);
}

/** The request with the name of its body: two are alike where all that is signed is. */
export const bodied = <Content extends Pick<Create, 'terms' | 'digits' | 'retries' | 'callback'>>(
  content: Content,
  mark: string,
): Content & Pick<Create, 'body'> => {
  const { terms, digits, retries, callback } = content;
  return {
    ...content,
    body: `${[...Object.values(terms), digits, retries, callback].join('|')} ${mark}`,
  };
};

/**
 * A request sent again: as it was, under another key, or with the key alone, and terms that are the
 * same, other or written otherwise.
 */
function repeatOf({ asked }: ModelOrder, chance: Chance): Act {
  const { terms } = asked;
  switch (chance.number(5)) {
    case 0:
      return asked;
    case 1:
      return { ...asked, idempotencyKey: keyOf(chance) };
    case 2:
      return {
        ...asked,
        ...contentOf(
          {
            ...terms,
            amount: terms.amount.includes('.') ? `${terms.amount}0` : `${terms.amount}.00`,
          },
          chance,
        ),
      };
    case 3:
      return { ...asked, ...contentOf(terms, chance) };
    default:
      return { ...asked, ...contentOf(termsOf(chance), chance) };
  }
}

function termsOf(chance: Chance, payouts = false): Terms {
  const shared = {
    amount: chance.pick(AMOUNTS),
    currency: chance.oneIn(6) ? 'INR' : chance.oneIn(20) ? 'BDT' : 'PKR',
    reference: chance.oneIn(3) ? `R${chance.number(3)}` : null,
  } as const;
  if (!payouts && !chance.oneIn(3))
    return {
      kind: 'Deposit',
      ...shared,
      method: methodOf(chance),
      account: null,
      accountName: null,
    };
  const given = chance.oneIn(3)
    ? { account: null, accountName: null }
    : { account: '03007654321', accountName: 'C. Customer' };
  return { kind: 'Withdrawal', ...shared, method: chance.pick(PAYOUT_METHODS), ...given };
}

export const methodOf = (chance: Chance): Method =>
  chance.oneIn(2)
    ? chance.pick(['ProviderA', 'ProviderB', 'ProviderAQR'])
    : chance.pick(ALL_METHODS);

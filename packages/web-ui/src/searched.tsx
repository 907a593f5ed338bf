import type { SearchedDeliveriesView, SearchedView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { When } from './when.tsx';

type Searched = AsText<SearchedView> | AsText<SearchedDeliveriesView>;
type Kind = Searched['inAll'][number];

const WORDS: Readonly<Record<Kind, string>> = {
  orderId: 'order ids',
  deliveryId: 'delivery ids',
  reference: 'whole references',
  shortEnd: 'the last six characters of our references',
  merchantReferenceEnd: 'the ends of the merchant’s references',
  account: 'whole account numbers',
  accountEnd: 'the last four digits of customers’ accounts',
  transaction: 'transaction IDs',
  digits: 'digits that customers entered',
  amount: 'amounts',
  name: 'names of merchants, members and account holders',
  referencePart: 'parts of references',
  customerName: 'names of customers',
  url: 'URLs',
};

/** Says as what a text was looked for, as the service has answered it. */
export function WhatWasSearched({
  searched: { inAll, inNewest, newestFrom },
  what,
}: {
  readonly searched: Searched;
  /** `orders`. */
  readonly what: string;
}) {
  const isSplit = newestFrom !== null && inNewest.length > 0;
  return (
    <>
      <p>Searched {listed(isSplit ? inAll : [...inAll, ...inNewest])}.</p>
      {isSplit ? (
        <p>
          Only in {what} since <When at={newestFrom} />: {listed(inNewest)}.
        </p>
      ) : null}
    </>
  );
}

const AND = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const listed = (kinds: readonly Kind[]): string => AND.format(kinds.map((kind) => WORDS[kind]));

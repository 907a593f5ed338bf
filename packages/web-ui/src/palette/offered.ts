import { useEffect, useId } from 'react';

/** Something that can be done on the page that is open. */
export interface Offer {
  readonly id: string;
  readonly label: string;
  run(): void;
}

const offers = new Map<string, readonly Offer[]>();

/** Has the palette offer these while the component is on the page. */
export function useOffers(own: readonly Offer[]): void {
  const owner = useId();
  useEffect(() => {
    offers.set(owner, own);
  });
  useEffect(() => () => void offers.delete(owner), [owner]);
}

/** What the page offers now; an id is of one opening of one component, such as of an order. */
export const offered = (): readonly Offer[] =>
  [...offers].flatMap(([owner, own]) =>
    own.map((offer) => ({ ...offer, id: `${owner} ${offer.id}` })),
  );

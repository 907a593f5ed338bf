import { texts } from '../language.ts';

/** In the place of cards that are being read. */
export const Skeletons = ({ cards }: { readonly cards: 1 | 2 }) => (
  <div class="skeletons" role="status" aria-label={texts.value.loading}>
    <div class="card" />
    {cards === 2 ? <div class="card" /> : null}
  </div>
);

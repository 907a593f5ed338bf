import { moneyText } from '../format.ts';
import { texts } from '../language.ts';
import { refusalText } from '../refusals.ts';
import { Link } from '../router.tsx';
import { online } from '../work/known.ts';
import { dropPicture, pictures, picturesOf } from './evidence.ts';
import type { KeptPicture } from './pictures.ts';
import { words } from './words.ts';

export { PicturePicker } from '../order/picture-picker.tsx';

/** Where the pictures of an order stand that are not sent yet, in one quiet line. */
export const PictureLine = ({ orderId }: { readonly orderId: string }) => (
  <Standing pictures={picturesOf(orderId)} />
);

function Standing({ pictures: list }: { readonly pictures: readonly KeptPicture[] }) {
  const evidence = words.value;
  const ready = list.filter(({ state }) => state === 'ready').length;
  if (ready === 0) return null;
  return (
    <p class="outbox-line ready">
      {online.value ? evidence.sending(ready) : evidence.waiting(ready)}
    </p>
  );
}

/** Those that were not accepted, until somebody has read why. `linked`: away from their order. */
export function RefusedPictures({
  pictures: list,
  linked = false,
}: {
  readonly pictures: readonly KeptPicture[];
  readonly linked?: boolean;
}) {
  const { outbox } = texts.value;
  const evidence = words.value;
  return (
    <>
      {list
        .filter(({ state }) => state === 'refused')
        .map((picture) => (
          <div class="card outbox-bar refused" key={picture.id}>
            <div>
              <b>{nameOf(picture)}</b>
              <p class="outbox-line refused">
                {evidence.refused}: {whyText(picture)}
              </p>
              {linked ? <Link to={`/orders/${picture.orderId}`}>{outbox.openOrder}</Link> : null}
            </div>
            <button type="button" class="secondary" onClick={() => void dropPicture(picture)}>
              {outbox.hide}
            </button>
          </div>
        ))}
    </>
  );
}

/** On the order's own screen. */
export const PicturesOfOrder = ({ orderId }: { readonly orderId: string }) => (
  <div role="status" class="of-pictures">
    <PictureLine orderId={orderId} />
    <RefusedPictures pictures={picturesOf(orderId)} />
  </div>
);

/** Above what is in hand: what of other orders is on its way, and what was refused. */
export function UnsentPictures({ inHand }: { readonly inHand: ReadonlySet<string> }) {
  const others = pictures.value.filter(({ orderId }) => !inHand.has(orderId));
  return (
    <>
      <Standing pictures={others} />
      <RefusedPictures pictures={pictures.value} linked />
    </>
  );
}

/** Each that is not sent, with the way to drop it. */
export const EveryPicture = () => (
  <>
    {pictures.value
      .filter(({ state }) => state === 'ready')
      .map((picture) => (
        <div class="card outbox-bar refused" key={picture.id}>
          <div>
            <b>{nameOf(picture)}</b>
            <Standing pictures={[picture]} />
          </div>
          <button type="button" class="secondary" onClick={() => void dropPicture(picture)}>
            {texts.value.outbox.discard}
          </button>
        </div>
      ))}
    <RefusedPictures pictures={pictures.value} />
  </>
);

/** `Picture for PKR 2,500`. */
const nameOf = ({ amount, currency }: KeptPicture): string =>
  words.value.of(moneyText(amount, currency));

function whyText({ refusal }: KeptPicture): string {
  const evidence = words.value;
  if (refusal === 'too-many') return evidence.tooMany;
  return refusal === 'invalid' ? evidence.unreadable : refusalText(refusal);
}

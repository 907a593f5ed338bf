import { type AnswerOf, MEMBER_LIST_EVIDENCE, MEMBER_OPEN_EVIDENCE } from '@munshi/api';
import { useEffect, useState } from 'preact/hooks';
import { handIn, pictureOf, picturesOf } from '../outbox/evidence.ts';
import { words } from '../outbox/words.ts';
import { api } from '../service.ts';
import type { Order } from '../work/orders.ts';
import { PICTURES_MAX, PicturePicker } from './picture-picker.tsx';

type Evidence = AnswerOf<typeof MEMBER_LIST_EVIDENCE>['data'][number];

/** What this member has handed in about an order, and the way to more of it. */
export function HandedIn({ order }: { readonly order: Order }) {
  const evidence = words.value;
  const { orderId } = order;
  const [list, setList] = useState<readonly Evidence[] | null>(null);
  const [adding, setAdding] = useState(false);
  const [reading, setReading] = useState(false);
  const unsent = picturesOf(orderId).length;
  useEffect(() => {
    let gone = false;
    void api.call(MEMBER_LIST_EVIDENCE, { params: { orderId } }).then(
      (outcome) => {
        if (!gone && outcome.ok) setList(outcome.answer.data);
      },
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [orderId, unsent]);
  const room = PICTURES_MAX - (list?.length ?? 0) - unsent;
  return (
    <section class="handed-in">
      {list === null || list.length === 0 ? null : (
        <>
          <h2>{evidence.title}</h2>
          <ul class="thumbs">
            {list.map((one, at) => (
              <li key={one.evidenceId}>
                <Thumb orderId={orderId} evidence={one} name={evidence.name(at + 1)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {adding ? (
        <PicturePicker
          picked={{ contents: [], reading }}
          room={room}
          onPick={(change) => {
            const { contents, reading: still } = change({ contents: [], reading });
            setReading(still);
            for (const content of contents) void handIn(pictureOf(order, kindOf(order), content));
          }}
        />
      ) : room > 0 ? (
        <button type="button" class="quiet-link" onClick={() => setAdding(true)}>
          {evidence.more}
        </button>
      ) : null}
    </section>
  );
}

/** What a picture is about that comes by itself. */
const kindOf = (order: Order) =>
  order.status === 'Rejected'
    ? 'reject'
    : order.completedAt !== null && !order.handedOver
      ? 'confirm'
      : 'report';

interface ThumbProps {
  readonly orderId: string;
  readonly evidence: Evidence;
  readonly name: string;
}

/** As the service keeps it: only who sent it and operators can read it. */
function Thumb({ orderId, evidence: { evidenceId, deletedAt }, name }: ThumbProps) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (deletedAt !== null) return;
    let made: string | undefined;
    let gone = false;
    void api.download(MEMBER_OPEN_EVIDENCE, { params: { orderId, evidenceId } }).then(
      (outcome) => {
        if (gone || !outcome.ok) return;
        made = URL.createObjectURL(outcome.content);
        setAddress(made);
      },
      () => {},
    );
    return () => {
      gone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [evidenceId, deletedAt]);
  if (deletedAt !== null) return <p class="hint">{words.value.deleted}</p>;
  return address === null ? <span class="thumb" /> : <img src={address} alt={name} />;
}

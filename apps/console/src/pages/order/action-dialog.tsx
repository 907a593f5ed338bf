import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import {
  CLAIM_ORDER,
  LIST_MEMBERS,
  READ_ORDER,
  type RESOLVE_ORDER,
  UNCLAIM_ORDER,
} from '@munshi/api';
import {
  ApiError,
  EffectDialog,
  type InternalNote,
  keyOf,
  Refusal,
  Skeleton,
  statusLabel,
  useRead,
  useService,
  Warnings,
} from '@munshi/web-ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { EffectSummary } from '../../effects/effect-summary.tsx';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { usePreview } from '../../effects/use-preview.ts';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import { useSession } from '../../session.tsx';
import { actionsOf, type OrderAction } from './actions.ts';
import { ACTORS, type OrderDetail } from './order.ts';

/** Actions differ in path and body alone, which `actions.ts` has put together. */
type AnyWrite = typeof RESOLVE_ORDER;
const SETTLE_MS = 400;

/** The dialog before anything that is done about an order: what it does in numbers, and why. */
export function ActionDialog({
  action,
  order,
  readAt,
  onClose,
  onDecided,
}: {
  readonly action: OrderAction;
  readonly order: OrderDetail;
  /** When the order was read as it is here. */
  readonly readAt: number;
  onClose(): void;
  /** Where the operator goes on to another order once this one is decided, or asked about. */
  readonly onDecided?: () => void;
}) {
  const [note, setNote] = useState('');
  const [memberId, setMemberId] = useState<string | null>(null);
  const [sent, setSent] = useState(false);
  const [settled] = useDebouncedValue(note, SETTLE_MS);
  const [, write] = useMayWait(action.endpoint as AnyWrite); // its effect says whether it waits
  const requestWith = (text: string, internal: InternalNote = {}) => {
    const body = action.body?.(text, internal);
    const named = memberId === null ? {} : { memberId };
    return { params: action.params, ...(body && { body: { ...body, ...named } }) } as never;
  };
  const faster = useFaster(order, action, sent);
  const colleague = useColleague(order);
  const readAgain = useReadAgain(order);
  // What was sent is no longer a question, though the order is read again for it.
  const askedAt = useRef(readAt);
  if (!sent) askedAt.current = readAt;
  const asks = action.previewed && faster === null;
  const previewed = asks ? requestWith(settled === '' ? '…' : settled) : null;
  const preview = usePreview(action.endpoint as AnyWrite, previewed, askedAt.current);
  const waits = preview.data?.status === 'pendingApproval';

  const send = async (text: string, internal: InternalNote) => {
    setSent(true);
    try {
      const answer = await write(requestWith(text, internal));
      const goesOn = action.previewed && onDecided !== undefined;
      if (sayIfItWaits(answer) === 'done')
        notifications.show({
          message: goesOn ? (
            <>
              {action.done} <Link href={`/orders/${order.orderId}`}>Back to it</Link>
            </>
          ) : (
            action.done
          ),
        });
      if (goesOn) onDecided();
    } catch (error) {
      // What another operator has done is said once it is known, and not the refusal.
      if (error instanceof ApiError && error.refusal.code === 'wrong-state') await readAgain();
      setSent(false);
      throw error;
    }
  };
  return (
    <EffectDialog
      onClose={onClose}
      title={action.label}
      button={waits ? (action.asks ?? action.label) : action.label}
      wide={action.previewed}
      {...(action.danger && { danger: true })}
      ready={
        faster === null &&
        (!action.previewed || (preview.data !== undefined && preview.error === null))
      }
      impossible={faster !== null}
      busy={preview.isPlaceholderData}
      {...(action.body && { note: { templates: action.templates, ...action.note } })}
      onNote={setNote}
      onSend={send}
    >
      <p className="quiet">{action.hint}</p>
      {faster === null && colleague === null ? null : <Warnings>{[faster ?? colleague]}</Warnings>}
      {action.namesMember ? (
        <WhoMovedIt holder={order.member} value={memberId} onChange={setMemberId} />
      ) : null}
      {!action.previewed || faster !== null ? null : preview.error !== null ? (
        <Refusal error={preview.error} />
      ) : preview.data !== undefined ? (
        <EffectSummary effect={preview.data} />
      ) : (
        <Skeleton rows={6} />
      )}
    </EffectDialog>
  );
}

/**
 * Says who works on the order, if another operator does. While the dialog is open it is claimed,
 * where nobody has it: others see who works on it however it was opened.
 */
function useColleague({ orderId, claimedBy }: OrderDetail): string | null {
  const { api } = useService();
  const { operator } = useSession();
  const isFree = useRef(claimedBy === null);
  useEffect(() => {
    if (!isFree.current) return;
    const params = { orderId };
    const claimed = api.call(CLAIM_ORDER, { params });
    return () =>
      void claimed.then(({ ok }) => (ok ? api.call(UNCLAIM_ORDER, { params }) : undefined));
  }, [api, orderId]);
  return claimedBy === null || claimedBy.operatorId === operator.operatorId
    ? null
    : `${claimedBy.name} is working on this order too.`;
}

/** Reads an order again; resolves when it is shown. */
function useReadAgain({ orderId }: OrderDetail): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.refetchQueries({ queryKey: keyOf(READ_ORDER, { params: { orderId } }) });
}

/**
 * Who has changed the order since the dialog was opened, and to what, or that the action has become
 * impossible; null: nothing of it.
 */
function useFaster(order: OrderDetail, action: OrderAction, sent: boolean): string | null {
  const { operator } = useSession();
  const opened = useRef(order.status);
  if (sent) return null;
  const last = order.timeline.findLast(({ kind }) => kind === 'moved');
  const status = statusLabel(order.status);
  if (order.status !== opened.current && last !== undefined) {
    const { actor } = last;
    return actor.id === operator.operatorId
      ? `You have done something in another window: ${status}.`
      : `${actor.name ?? ACTORS[actor.kind]} was faster: ${status}.`;
  }
  return actionsOf(order).some(({ id }) => id === action.id)
    ? null
    : 'Somebody was faster: this cannot be done any more.';
}

/** Whose float moves: a member by name, where it is not the last holder's. */
function WhoMovedIt({
  holder,
  value,
  onChange,
}: {
  readonly holder: OrderDetail['member'];
  readonly value: string | null;
  onChange(memberId: string | null): void;
}) {
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, SETTLE_MS);
  const query = settled === '' ? {} : { search: settled };
  const { data } = useRead(LIST_MEMBERS, { query: { ...query, limit: 20 } });
  return (
    <Select
      label="Who received or paid the money"
      description={
        holder === null
          ? 'No member had this order. If you choose nobody, the adjustments account is used.'
          : 'If it was another member, choose them: their float moves instead.'
      }
      placeholder={holder?.name ?? 'Nobody: the adjustments account'}
      searchable
      clearable
      value={value}
      onChange={onChange}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      data={(data?.data ?? []).map(({ memberId, name }) => ({ value: memberId, label: name }))}
    />
  );
}

import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { LIST_MEMBERS, type RESOLVE_ORDER } from '@munshi/api';
import {
  EffectDialog,
  type InternalNote,
  Refusal,
  Skeleton,
  statusLabel,
  useRead,
  useWrite,
  Warnings,
} from '@munshi/web-ui';
import { useRef, useState } from 'react';
import { EffectSummary } from '../../effects/effect-summary.tsx';
import { usePreview } from '../../effects/use-preview.ts';
import { useSession } from '../../session.tsx';
import { type Deed, deedsOf } from './deeds.ts';
import type { OrderDetail } from './order.ts';
import { texts } from './texts.ts';

/** The deeds differ in path and body alone, which the catalogue of deeds has put together. */
type AnyWrite = typeof RESOLVE_ORDER;
const SETTLE_MS = 400;

/** The dialog before anything that is done about an order: what it does in numbers, and why. */
export function DeedDialog({
  deed,
  order,
  readAt,
  onClose,
}: {
  readonly deed: Deed;
  readonly order: OrderDetail;
  /** When the order was read as it is here. */
  readonly readAt: number;
  onClose(): void;
}) {
  const [note, setNote] = useState('');
  const [memberId, setMemberId] = useState<string | null>(null);
  const [sent, setSent] = useState(false);
  const [settled] = useDebouncedValue(note, SETTLE_MS);
  const write = useWrite(deed.endpoint as AnyWrite);
  const requestWith = (text: string, internal: InternalNote = {}) => {
    const body = deed.body?.(text, internal);
    const named = memberId === null ? {} : { memberId };
    return { params: deed.params, ...(body && { body: { ...body, ...named } }) } as never;
  };
  const faster = useFaster(order, deed, sent);
  // What was sent is no longer a question, though the order is read again for it.
  const askedAt = useRef(readAt);
  if (!sent) askedAt.current = readAt;
  const asks = deed.previewed && faster === null;
  const previewed = asks ? requestWith(settled === '' ? '…' : settled) : null;
  const preview = usePreview(deed.endpoint as AnyWrite, previewed, askedAt.current);
  const waits = preview.data?.status === 'pendingApproval';

  const send = async (text: string, internal: InternalNote) => {
    setSent(true);
    try {
      const { data } = await write.send(requestWith(text, internal));
      const asked = data.status === 'pendingApproval';
      notifications.show({ message: asked ? texts.waits : deed.done });
    } catch (error) {
      setSent(false);
      throw error;
    }
  };
  return (
    <EffectDialog
      onClose={onClose}
      title={deed.label}
      deed={waits ? (deed.asks ?? deed.label) : deed.label}
      wide={deed.previewed}
      {...(deed.danger && { danger: true })}
      ready={
        faster === null &&
        (!deed.previewed || (preview.data !== undefined && preview.error === null))
      }
      impossible={faster !== null}
      busy={preview.isPlaceholderData}
      {...(deed.body && { note: { templates: deed.templates, ...deed.note } })}
      onNote={setNote}
      onSend={send}
    >
      <p className="quiet">{deed.hint}</p>
      {faster === null ? null : <Warnings>{[faster]}</Warnings>}
      {deed.namesMember ? <WhoReceived value={memberId} onChange={setMemberId} /> : null}
      {!deed.previewed || faster !== null ? null : preview.error !== null ? (
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
 * Who has changed the order since the dialog was opened, and to what, or that the deed has become
 * impossible; null: nothing of it.
 */
function useFaster(order: OrderDetail, deed: Deed, sent: boolean): string | null {
  const { operator } = useSession();
  const opened = useRef(order.status);
  if (sent) return null;
  const last = order.timeline.findLast(({ kind }) => kind === 'moved');
  const status = statusLabel(order.status);
  if (order.status !== opened.current && last !== undefined) {
    const { actor } = last;
    return actor.id === operator.operatorId
      ? texts.fasterYourself(status)
      : texts.faster(actor.name ?? texts.actors[actor.kind], status);
  }
  return deedsOf(order).some(({ id }) => id === deed.id) ? null : texts.impossible;
}

/** A member by name, for an order that nobody holds. */
function WhoReceived({
  value,
  onChange,
}: {
  readonly value: string | null;
  onChange(memberId: string | null): void;
}) {
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, SETTLE_MS);
  const query = settled === '' ? {} : { search: settled };
  const { data } = useRead(LIST_MEMBERS, { query: { ...query, limit: 20 } });
  return (
    <Select
      label={texts.whoReceived}
      description={texts.whoReceivedHint}
      placeholder={texts.nobody}
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

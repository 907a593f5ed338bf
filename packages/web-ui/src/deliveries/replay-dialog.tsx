import { TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EffectDialog } from '../effect-dialog.tsx';
import { Refusal } from '../states.tsx';

/** Says for how many orders webhooks are sent again, before it is done. */
export function ReplayDialog({
  children,
  typed,
  onType,
  zone,
  missing,
  counted,
  onSend,
  onClose,
}: {
  /** Fields before the time. */
  readonly children?: ReactNode;
  readonly typed: string;
  onType(typed: string): void;
  /** Whose time it is, where that is not the reader's. */
  readonly zone?: string;
  /** What is still to be chosen; undefined: nothing. */
  readonly missing: string | undefined;
  readonly counted: UseQueryResult<{
    readonly data: { readonly orders: number; readonly more: boolean };
  }>;
  onSend(): Promise<unknown>;
  onClose(): void;
}) {
  const count = missing === undefined ? counted.data?.data : undefined;
  return (
    <EffectDialog
      title="Send webhooks again"
      {...(count !== undefined && {
        button: `Send ${webhooks(count.orders)} again`,
      })}
      ready={count !== undefined && count.orders > 0}
      onClose={onClose}
      onSend={onSend}
    >
      <p>
        For a receiver that has lost deliveries. Each order that had one since then gets a new one
        with its current outcome.
      </p>
      {children}
      <TextInput
        type="datetime-local"
        withAsterisk
        label="Since"
        {...(zone !== undefined && { description: `In ${zone}.` })}
        value={typed}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
      />
      <Refusal error={missing === undefined ? counted.error : null} />
      <strong role="status">
        {missing ??
          (count === undefined
            ? counted.isError
              ? ''
              : 'Counting the orders…'
            : `${count.more ? 'More than ' : ''}${webhooks(count.orders)} ${count.orders === 1 && !count.more ? 'is' : 'are'} sent again.`)}
      </strong>
    </EffectDialog>
  );
}

const webhooks = (count: number) =>
  `${count.toLocaleString('en')} ${count === 1 ? 'webhook' : 'webhooks'}`;

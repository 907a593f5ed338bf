import type { ClosingView } from '@munshi/api';
import { Chip } from '@munshi/web-ui';

export function ClosingStatus({ closing }: { readonly closing: Pick<ClosingView, 'status'> }) {
  if (closing.status === 'signed') return <Chip tone="done" label="Signed" />;
  return closing.status === 'open' ? (
    <Chip tone="needed" label="Open" />
  ) : (
    <Chip tone="over" label="Discarded" />
  );
}

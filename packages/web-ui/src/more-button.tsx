import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { List } from './api.tsx';

interface MoreButtonProps extends Pick<ButtonProps, 'className' | 'radius'> {
  readonly list: Pick<List<unknown>, 'hasMore' | 'loadingMore' | 'more'>;
  readonly label?: string;
}

/** Reads the next page of a list that has one. It keeps the focus meanwhile: it is not disabled. */
export function MoreButton({ list, label = 'Show more', ...others }: MoreButtonProps) {
  const { hasMore, loadingMore, more } = list;
  if (!hasMore) return null;
  return (
    <Button
      {...others}
      fullWidth
      variant="subtle"
      aria-busy={loadingMore}
      rightSection={loadingMore ? <Loader size="xs" /> : null}
      onClick={() => loadingMore || more()}
    >
      {label}
    </Button>
  );
}

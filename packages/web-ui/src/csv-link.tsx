import { Button } from '@mantine/core';
import Download from 'lucide-react/icons/download';
import { useService } from './api.tsx';

type Value = string | number | boolean;

/** A list as a file. It comes as a stream, with the cookie of the sign-in. */
export function CsvLink({
  path,
  query = {},
  label,
  text = 'CSV',
  size = 'sm',
}: {
  /** Within the app's face. */
  readonly path: string;
  readonly query?: Readonly<Record<string, Value | readonly Value[] | undefined>>;
  /** Says of what. */
  readonly label: string;
  /** Where two stand side by side. */
  readonly text?: string;
  readonly size?: 'xs' | 'sm';
}) {
  const { faceUrl } = useService();
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  const asked = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  return (
    <Button
      component="a"
      href={`${faceUrl}${path}${asked}`}
      download
      variant="default"
      size={size}
      aria-label={label}
      leftSection={<Download size={16} aria-hidden />}
    >
      {text}
    </Button>
  );
}

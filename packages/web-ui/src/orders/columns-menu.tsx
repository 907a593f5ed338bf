import { Button, Checkbox, Popover } from '@mantine/core';
import Columns3 from 'lucide-react/icons/columns-3';
import classes from './orders.module.css';

/** Which columns a list shows. */
export function ColumnsMenu({
  columns,
  shown,
  onChange,
}: {
  readonly columns: readonly { readonly id: string; readonly header: string }[];
  /** By id. */
  readonly shown: readonly string[];
  onChange(shown: readonly string[]): void;
}) {
  const ids = columns.map(({ id }) => id);
  const toggle = (id: string) =>
    onChange(ids.filter((each) => (each === id) !== shown.includes(each)));
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={16} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Choose columns">
        <div className={classes['choices']}>
          {columns.map(({ id, header }) => (
            <Checkbox
              key={id}
              size="xs"
              label={header}
              checked={shown.includes(id)}
              onChange={() => toggle(id)}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

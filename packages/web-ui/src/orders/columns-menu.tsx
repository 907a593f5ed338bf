import { Button, Checkbox, Popover } from '@mantine/core';
import Columns3 from 'lucide-react/icons/columns-3';
import classes from './orders.module.css';
import { texts } from './texts.ts';

/** Which columns a list shows. */
export function ColumnsMenu<Id extends string>({
  ids,
  heads,
  shown,
  onChange,
}: {
  readonly ids: readonly Id[];
  readonly heads: Readonly<Record<Id, string>>;
  readonly shown: readonly Id[];
  onChange(shown: readonly Id[]): void;
}) {
  const toggle = (id: Id) => onChange(ids.filter((each) => (each === id) !== shown.includes(each)));
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={16} aria-hidden />}>
          {texts.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.chooseColumns}>
        <div className={classes['choices']}>
          {ids.map((id) => (
            <Checkbox
              key={id}
              size="xs"
              label={heads[id]}
              checked={shown.includes(id)}
              onChange={() => toggle(id)}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

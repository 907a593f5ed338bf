import { Button } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import { Refusal } from '../states.tsx';
import classes from './merchant.module.css';
import type { Save } from './use-save.ts';

/**
 * The end of a form: whether it will wait, what was refused, and the button, or that the reader may
 * not change it.
 */
export function SaveBar<Change>({
  change,
  typed,
}: {
  readonly change: Save<Change>;
  /** What would be saved; undefined while it is wrong. */
  readonly typed: NoInfer<Change> | undefined;
}) {
  const { mayChange, sending, error, saved } = change;
  if (!mayChange) return <p className="quiet">Only an admin can change this.</p>;
  return (
    <>
      {typed === undefined ? null : change.beforehand(typed)}
      <Refusal error={error} />
      <div className={classes['save']}>
        <Button type="submit" loading={sending}>
          Save
        </Button>
        <span role="status" className={classes['saved']}>
          {saved ? (
            <>
              <Check size={16} aria-hidden /> Saved
            </>
          ) : null}
        </span>
      </div>
    </>
  );
}

import { Button } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import { Refusal } from '../states.tsx';
import classes from './merchant.module.css';
import { texts } from './texts.ts';
import type { Save } from './use-save.ts';

/** The end of a form: what was refused, and the button, or that the reader may not change it. */
export function SaveBar({ change }: { readonly change: Omit<Save<never>, 'save'> }) {
  const { mayChange, sending, error, saved } = change;
  if (!mayChange) return <p className="quiet">{texts.readOnly}</p>;
  return (
    <>
      <Refusal error={error} />
      <div className={classes['save']}>
        <Button type="submit" loading={sending}>
          {texts.save}
        </Button>
        <span role="status" className={classes['saved']}>
          {saved ? (
            <>
              <Check size={16} aria-hidden /> {texts.saved}
            </>
          ) : null}
        </span>
      </div>
    </>
  );
}

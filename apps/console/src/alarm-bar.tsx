import ShieldAlert from 'lucide-react/icons/shield-alert';
import type { ReactNode } from 'react';
import classes from './alarm-bar.module.css';

/** A red bar under the header of every page. */
export const AlarmBar = ({ children }: { readonly children: ReactNode }) => (
  <div className={classes['bar']} role="alert">
    <ShieldAlert size={16} aria-hidden />
    <div className={classes['text']}>{children}</div>
  </div>
);

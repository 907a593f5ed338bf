import classes from './orders.module.css';

/** A reference; its last six characters are what people read aloud. */
export const Reference = ({ reference }: { readonly reference: string }) => (
  <span className={classes['reference']} translate="no">
    {reference.slice(0, -6)}
    <b>{reference.slice(-6)}</b>
  </span>
);

import { Button, type ButtonProps, Kbd } from '@mantine/core';
import classes from './action-button.module.css';
import { useKeys } from './keyboard.tsx';

export interface ActionButtonProps extends ButtonProps {
  /** One that no list or menu of the page has: not `g`, `j`, `k`, `n` or `x`. */
  readonly letter: string;
  /** Names the action, in the list of all keys too. */
  readonly children: string;
  /** Opens a dialog, or does what moves no money. */
  onClick(): void;
}

/** A button that a letter presses, which is written on it. */
export function ActionButton({ letter, children, onClick, ...props }: ActionButtonProps) {
  const isOff = props.loading === true || props.disabled === true;
  useKeys(isOff ? [] : [{ keys: letter, label: children, run: onClick }]);
  return (
    <Button
      {...props}
      aria-keyshortcuts={letter}
      rightSection={<KeyHint keys={letter} />}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

/** The key of a button or an item, for the eye: its name stays without it. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <Kbd className={classes['hint'] ?? ''} aria-hidden>
      {keys}
    </Kbd>
  );
}

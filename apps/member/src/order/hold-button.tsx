import { useEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../language.ts';

interface HoldButtonProps {
  readonly label: string;
  /** What the second tap says. */
  readonly sure: string;
  readonly tone?: 'primary' | 'danger';
  readonly disabled?: boolean;
  onDone(): void;
}

const HOLD_MS = 1_000;

/**
 * Done by holding it for a second, or by tapping it and then what has come in its place: nobody does
 * it by accident, and whoever cannot hold, or reads by ear, can do it too.
 */
export function HoldButton({ label, sure, tone = 'primary', disabled, onDone }: HoldButtonProps) {
  const [asked, setAsked] = useState(false);
  const [holding, setHolding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const again = useRef<HTMLButtonElement>(null);
  const done = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (asked) again.current?.focus();
  }, [asked]);

  const finish = () => {
    if (done.current) return;
    done.current = true;
    onDone();
  };
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    setHolding(true);
    timer.current = setTimeout(finish, HOLD_MS);
  };
  const release = () => {
    clearTimeout(timer.current);
    setHolding(false);
  };
  if (asked)
    return (
      <button type="button" ref={again} class={`${tone} sure`} disabled={disabled} onClick={finish}>
        {sure}
      </button>
    );
  return (
    <>
      <button
        type="button"
        class={`${tone} hold ${holding ? 'holding' : ''}`}
        disabled={disabled}
        onPointerDown={press}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        onContextMenu={(event) => event.preventDefault()}
        onClick={() => {
          if (!done.current) setAsked(true);
        }}
      >
        <span>{label}</span>
      </button>
      <p class="hint centre">{texts.value.receive.hold}</p>
    </>
  );
}

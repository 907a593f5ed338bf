import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../language.ts';

interface HoldButtonProps {
  readonly label: string;
  /** What the second tap says. */
  readonly sure: string;
  readonly tone?: 'primary' | 'danger';
  readonly disabled?: boolean;
  onDone(): Promise<void>;
}

const HOLD_MS = 1_000;
/** The second tap of a thumb that taps twice comes within this time. */
const SETTLE_MS = 600;

/**
 * Done by holding it for a second, or by tapping it and then what has come next to it: nobody does
 * it by accident, and people who cannot hold, or use a screen reader, can do it too.
 */
export function HoldButton({ label, sure, tone = 'primary', disabled, onDone }: HoldButtonProps) {
  const [asked, setAsked] = useState(false);
  const [holding, setHolding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const done = useRef(false);
  const [failed, setFailed] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  const finish = () => {
    if (done.current) return;
    done.current = true;
    setFailed(false);
    onDone().catch(() => {
      done.current = false;
      setAsked(false);
      setFailed(true);
    });
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
    return <Sure label={sure} tone={tone} onBack={() => setAsked(false)} onDone={finish} />;
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
      {failed ? (
        <p class="note bad" role="alert">
          {texts.value.signIn.failed}
        </p>
      ) : null}
    </>
  );
}

interface SureProps {
  readonly label: string;
  readonly tone: 'primary' | 'danger';
  onBack(): void;
  onDone(): void;
}

/**
 * The second question. Where the first button was is the way back, with the room of the hint that
 * was below it, and neither takes a tap before the thumb has settled.
 */
function Sure({ label, tone, onBack, onDone }: SureProps) {
  const [settled, setSettled] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    button.current?.focus();
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);
  const once = (act: () => void) => () => {
    if (settled) act();
  };
  return (
    <>
      <button
        type="button"
        ref={button}
        class={`${tone} sure`}
        aria-disabled={!settled}
        onClick={once(onDone)}
      >
        {label}
      </button>
      <button
        type="button"
        class="secondary in-its-place"
        aria-disabled={!settled}
        onClick={once(onBack)}
      >
        {texts.value.back}
      </button>
      <p class="hint" aria-hidden="true">
        {'\u00a0'}
      </p>
    </>
  );
}

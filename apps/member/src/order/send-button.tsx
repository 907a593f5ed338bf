import { useState } from 'preact/hooks';
import { texts } from '../language.ts';

interface SendButtonProps {
  readonly label: string;
  readonly class: string;
  readonly disabled?: boolean;
  /** Answers what went wrong; null: nothing. */
  send(): Promise<string | null>;
}

/** Does something by one tap, and says where that failed. */
export function SendButton({ label, class: name, disabled = false, send }: SendButtonProps) {
  const [sending, setSending] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const press = async () => {
    setSending(true);
    setWrong(await send().catch(() => texts.value.signIn.failed));
    setSending(false);
  };
  return (
    <>
      <button
        type="button"
        class={name}
        disabled={disabled || sending}
        onClick={() => void press()}
      >
        {label}
      </button>
      <div role="alert">{wrong === null ? null : <p class="note bad">{wrong}</p>}</div>
    </>
  );
}

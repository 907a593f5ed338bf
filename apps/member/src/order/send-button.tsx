import { useState } from 'preact/hooks';

interface NoteButtonProps {
  readonly label: string;
  readonly class: string;
  /** Answers what went wrong; null: nothing. */
  send(): Promise<string | null>;
}

/** Sends operators a note by one tap, and says where that failed. */
export function NoteButton({ label, class: name, send }: NoteButtonProps) {
  const [sending, setSending] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const press = async () => {
    setSending(true);
    setWrong(await send());
    setSending(false);
  };
  return (
    <>
      <button type="button" class={name} disabled={sending} onClick={() => void press()}>
        {label}
      </button>
      <div role="alert">{wrong === null ? null : <p class="note bad">{wrong}</p>}</div>
    </>
  );
}

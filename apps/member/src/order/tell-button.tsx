import { useState } from 'preact/hooks';

interface TellButtonProps {
  readonly label: string;
  readonly class: string;
  /** Answers what went wrong; null: nothing. */
  tell(): Promise<string | null>;
}

/** Sends operators a note by one tap, and says where that failed. */
export function TellButton({ label, class: name, tell }: TellButtonProps) {
  const [telling, setTelling] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const press = async () => {
    setTelling(true);
    setWrong(await tell());
    setTelling(false);
  };
  return (
    <>
      <button type="button" class={name} disabled={telling} onClick={() => void press()}>
        {label}
      </button>
      <div role="alert">{wrong === null ? null : <p class="note bad">{wrong}</p>}</div>
    </>
  );
}

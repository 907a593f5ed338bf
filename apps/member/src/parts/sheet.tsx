import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { texts } from '../language.ts';
import { CloseIcon } from './icons.tsx';
import { useModal } from './modal.ts';

interface SheetProps {
  readonly title: string;
  readonly children: ComponentChildren;
  onClose(): void;
}

/**
 * What is asked before something is done, at the bottom edge. The browser's own dialog: it keeps
 * the focus, gives it back, and closes by Escape and by the phone's back gesture. A tap beside it
 * closes it as long as nothing has been filled in.
 */
export function Sheet({ title, children, onClose }: SheetProps) {
  const dialog = useModal();
  const id = useId();
  const [filled, setFilled] = useState(false);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by onCancel
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby={id}
      onCancel={(event) => {
        // A picture that nobody chose after all is cancelled too, by its own field.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (!filled && isBeside(event.currentTarget, event)) onClose();
      }}
      onInput={() => setFilled(true)}
    >
      <div class="sheet-body">
        <div class="sheet-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="bare" onClick={onClose} aria-label={texts.value.close}>
            <CloseIcon />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

/**
 * Whether a tap was on what is behind a dialog. By itself the browser would close it before the
 * click, which then touches what lies under the finger.
 */
function isBeside(dialog: HTMLDialogElement, { target, clientX, clientY }: MouseEvent): boolean {
  const { left, right, top } = dialog.getBoundingClientRect();
  return target === dialog && (clientX < left || clientX > right || clientY < top);
}

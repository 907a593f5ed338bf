import { Button, Modal, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import ArrowRight from 'lucide-react/icons/arrow-right';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { KeyHint } from './action-button.tsx';
import classes from './effect-dialog.module.css';
import { useReturnFocus } from './return-focus.ts';
import { isBeside, Refusal } from './states.tsx';
import { useTypedDialog } from './unsaved.tsx';

/** What is written for operators alone, as the request has it: nothing where it is empty. */
export interface InternalNote {
  readonly internalNote?: string;
}

export interface EffectDialogProps {
  /** Mount it when the dialog opens; it forgets what was typed when it closes. */
  onClose(): void;
  /** `Reject PKR 2,500`. */
  readonly title: string;
  /** The button, which names the action: the title where nothing is given. */
  readonly button?: string;
  /** Red, for what cannot be taken back. */
  readonly danger?: boolean;
  /** For effects in two columns. */
  readonly wide?: boolean;
  /**
   * What will happen in numbers: `Effects`, `Effect`, `Warnings`, or words. Fields get the refusal,
   * to say what is wrong with them.
   */
  readonly children?: ReactNode | ((refusal: Error | null) => ReactNode);
  /** Asks for a note; `required` by default. */
  readonly note?: {
    readonly required?: boolean;
    readonly label?: string;
    /** Who reads it, where that is not the history and the audit log alone. */
    readonly hint?: string;
    /** Sentences for it, at most nine: Alt and a digit write one. */
    readonly templates?: readonly string[];
    /** Asks for a second one too, which operators alone read. */
    readonly internal?: boolean;
  };
  /** Called with the note as it is typed. */
  onNote?(note: string): void;
  /** Must be typed before the action is done, such as a merchant's name. */
  readonly typed?: string;
  /** False keeps the button off: the effect is not known yet, or a field is missing. */
  readonly ready?: boolean;
  /** It can no longer be done: what was typed is of no use, and Escape does not ask about it. */
  readonly impossible?: boolean;
  /** What to do where it is sent before it is ready: to wait for the effect, by default. */
  readonly unready?: string;
  /** True while what it shows is of another note, and the effect of this one is asked for. */
  readonly busy?: boolean;
  /** Fields of the request that say themselves what is wrong with them. */
  readonly beside?: readonly string[];
  /** Does it. The dialog closes when it is done, and shows the sentence of a refusal otherwise. */
  onSend(note: string, internal: InternalNote): Promise<unknown>;
}

/**
 * A dialog before something that matters: what it does in numbers, a note, and a button that names
 * the action. `Ctrl+Enter` sends, `Alt+1` writes the first sentence for the note, `Escape` closes,
 * and asks first where something is typed. The focus goes back to where it came from.
 */
export function EffectDialog(props: EffectDialogProps) {
  const {
    onClose,
    title,
    button = title,
    danger = false,
    wide = false,
    children,
    note,
    typed,
    ready,
    unready = 'Wait until the effect is shown, then confirm again.',
    beside = [],
    impossible = false,
  } = props;
  const [written, setWritten] = useState('');
  const [internal, setInternal] = useState('');
  const [repeated, setRepeated] = useState('');
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const typing = useTypedDialog(onClose);
  typing.setSent(sending || impossible);
  useReturnFocus();
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  // The effect comes above the field that has the focus, and would push it below the buttons.
  useEffect(() => {
    const focused = document.activeElement;
    if (form.current?.contains(focused)) focused?.scrollIntoView({ block: 'nearest' });
  }, [ready]);
  const missing = note !== undefined && note.required !== false && written.trim() === '';
  const differs = typed !== undefined && repeated !== typed;
  const waits = tried && ready === false;

  const send = async () => {
    setTried(true);
    if (missing || differs || sending || ready === false) return;
    setSending(true);
    setError(null);
    try {
      const internalNote = internal.trim();
      await props.onSend(written.trim(), internalNote === '' ? {} : { internalNote });
      onClose();
    } catch (failure) {
      setError(failure as Error);
      setSending(false);
    }
  };
  const write = (text: string) => {
    setWritten(text);
    props.onNote?.(text.trim());
  };
  const press = (event: KeyboardEvent) => {
    const sentence = sentenceOf(event, note?.templates);
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    } else if (sentence !== undefined) {
      event.preventDefault();
      write(sentence);
    }
  };
  return (
    <Modal
      opened
      onClose={typing.close}
      closeOnEscape={typing.closeOnEscape}
      title={title}
      size={wide ? 'xl' : 'lg'}
      closeButtonProps={{ 'aria-label': 'Close' }}
      onKeyDown={press}
    >
      <form
        ref={form}
        className={classes['form']}
        aria-busy={props.busy ?? false}
        onFocusCapture={typing.onFocusCapture}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {typeof children === 'function' ? children(error) : children}
        {note === undefined ? null : (
          <NoteField {...{ note, written }} setWritten={write} missing={tried && missing} />
        )}
        {note?.internal ? (
          <Textarea
            {...NOTE_SIZE}
            label="For ourselves (optional)"
            description="Operators alone read it, here and in the audit log."
            value={internal}
            onChange={({ currentTarget }) => setInternal(currentTarget.value)}
          />
        ) : null}
        {typed === undefined ? null : (
          <TextInput
            data-repeats
            label={`Type ${typed} to continue`}
            value={repeated}
            autoComplete="off"
            error={tried && differs ? `This must read ${typed}.` : null}
            onChange={({ currentTarget }) => setRepeated(currentTarget.value)}
          />
        )}
        <Refusal error={impossible || isBeside(error, beside) ? null : error} />
        <div className={classes['buttons']}>
          <span className="quiet" role="status" data-keys={!waits}>
            {waits ? unready : 'Ctrl + Enter sends'}
          </span>
          <Button variant="default" onClick={onClose}>
            Go back
          </Button>
          <Button
            type="submit"
            data-autofocus // where no field before it asks for the focus
            loading={sending}
            disabled={ready === false}
            {...(danger && { color: 'bad' })}
          >
            {button}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** By its place on the keyboard: Option and a digit write other characters on a Mac. */
function sentenceOf(
  { altKey, ctrlKey, metaKey, nativeEvent: { code } }: KeyboardEvent,
  templates: readonly string[] = [],
): string | undefined {
  if (!altKey || ctrlKey || metaKey) return undefined;
  return templates[Number(/^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1] ?? 0) - 1];
}

const NOTE_SIZE = {
  autosize: true,
  minRows: 2,
  maxRows: 8,
  maxLength: 1000,
  descriptionProps: { mb: 4 },
} as const;

interface NoteFieldProps {
  readonly note: NonNullable<EffectDialogProps['note']>;
  readonly written: string;
  setWritten(text: string): void;
  readonly missing: boolean;
}

function NoteField({ note, written, setWritten, missing }: NoteFieldProps) {
  const {
    label = 'Note',
    hint = 'Kept in the history and the audit log.',
    templates = [],
    required = true,
  } = note;
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div className={classes['note']}>
      <Textarea
        {...NOTE_SIZE}
        ref={field}
        label={label}
        description={hint}
        required={required}
        data-autofocus
        value={written}
        error={missing ? 'Enter the reason in a few words.' : null}
        onChange={({ currentTarget }) => setWritten(currentTarget.value)}
      />
      {templates.length === 0 ? null : (
        <ul className={classes['sentences']} aria-label="Suggested sentences">
          {templates.map((template, at) => (
            <li key={template}>
              <UnstyledButton
                aria-keyshortcuts={`Alt+${at + 1}`}
                onClick={() => {
                  setWritten(template);
                  field.current?.focus();
                }}
              >
                <KeyHint keys={`Alt ${at + 1}`} />
                {template}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A list of `Effect`s. */
export function Effects({ label, children }: { label: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={classes['effects']} aria-labelledby={heading}>
      <h3 id={heading}>{label}</h3>
      <dl>{children}</dl>
    </section>
  );
}

/** One thing that changes: before → after. */
export function Effect({
  what,
  before,
  after,
}: {
  readonly what: ReactNode;
  readonly before?: ReactNode;
  readonly after: ReactNode;
}) {
  return (
    <div>
      <dt>{what}</dt>
      <dd>
        {before === undefined ? null : (
          <>
            <span className="quiet">{before}</span>
            <ArrowRight size={14} aria-label="becomes" />
          </>
        )}
        <strong>{after}</strong>
      </dd>
    </div>
  );
}

/** What to think of before it is done. */
export function Warnings({ children }: { readonly children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <ul className={classes['warnings']}>
      {children.map((warning, at) => (
        <li key={at}>
          <TriangleAlert size={16} aria-hidden />
          <span>{warning}</span>
        </li>
      ))}
    </ul>
  );
}

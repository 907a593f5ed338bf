import type { InputHTMLAttributes, Ref } from 'preact';
import { useId, useState } from 'preact/hooks';
import { texts } from '../language.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  /** Of its currency: stands in the field, for the eye alone. */
  readonly sign?: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly input?: InputHTMLAttributes;
  onInput(value: string): void;
}

/** A labelled input with its hint and what is wrong with it. */
export function Field({
  label,
  value,
  sign,
  hint,
  error,
  inputRef,
  input = {},
  onInput,
}: FieldProps) {
  const id = useId();
  const said = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const typed = (
    <input
      id={id}
      ref={inputRef ?? null}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
      aria-invalid={error !== undefined}
      {...(said !== '' && { 'aria-describedby': said })}
      {...input}
    />
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {sign === undefined ? (
        typed
      ) : (
        <div class="signed" style={{ '--sign': sign.length }}>
          <span aria-hidden="true">{sign}</span>
          {typed}
        </div>
      )}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p class="wrong" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** A password that can be read while it is typed. */
export function PasswordField(
  props: Omit<FieldProps, 'input'> & { readonly autoComplete: string },
) {
  const [shown, setShown] = useState(false);
  const { show, hide } = texts.value;
  const { autoComplete, ...field } = props;
  return (
    <div class="password">
      <Field
        {...field}
        input={{ type: (shown ? 'text' : 'password') as 'password', autocomplete: autoComplete }}
      />
      <button
        type="button"
        class="bare"
        onClick={() => setShown(!shown)}
        aria-pressed={shown}
        aria-label={`${shown ? hide : show}: ${props.label}`}
      >
        {shown ? hide : show}
      </button>
    </div>
  );
}

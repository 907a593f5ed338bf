import { MEMBER_ADD_ACCOUNT } from '@munshi/api';
import { plainLine } from '@munshi/web';
import { useRef, useState } from 'preact/hooks';
import { texts } from '../language.ts';
import { isQr, kindOf, METHOD_CODES, methodName } from '../methods.ts';
import { Field } from '../parts/field.tsx';
import { BackButton, Screen } from '../parts/frame.tsx';
import { refusalText } from '../refusals.ts';
import { go } from '../router.tsx';
import { write } from '../session.ts';
import { me } from '../work/known.ts';
import type { Account } from './account-parts.tsx';
import { learnAccount, Wrong } from './account-sheet.tsx';
import { CodeField } from './code-field.tsx';
import { words } from './words.ts';
import './account.css';

type Method = Account['walletType'];

type Currency = NonNullable<Account['currencies']>[number];

interface Typed {
  readonly currency: Currency | '';
  readonly method: Method | '';
  readonly number: string;
  readonly again: string;
  readonly title: string;
  readonly code: string | null;
}
const NOTHING: Typed = { currency: '', method: '', number: '', again: '', title: '', code: null };
type Errors = Partial<Record<keyof Typed, string>>;

/** An account of one's own, which takes orders once an operator has approved it. */
export function AddScreen() {
  const { back, signIn } = texts.value;
  const [typed, setTyped] = useState(NOTHING);
  const [errors, setErrors] = useState<Errors>({});
  const [wrong, setWrong] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  // The same for a repeat after an answer that was lost: one account is added.
  const key = useRef({ of: '', is: '' });
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<Typed>) => {
    setTyped((before) => ({ ...before, ...part }));
    setErrors((before) => without(before, Object.keys(part) as (keyof Typed)[]));
  };
  const send = async (event: Event) => {
    event.preventDefault();
    const found = errorsOf(typed);
    setErrors(found);
    setWrong(null);
    if (Object.keys(found).length > 0 || typed.method === '') return focusOnWrong(form.current);
    const body = {
      walletType: typed.method,
      ...(typed.currency !== '' && { currencies: [typed.currency] }),
      accountNumber: plain(typed.number),
      accountTitle: typed.title.trim(),
      qrPayload: takesCode(typed.method) ? typed.code : null,
    };
    const of = JSON.stringify(body);
    if (key.current.of !== of) key.current = { of, is: crypto.randomUUID() };
    setSending(true);
    const outcome = await write(MEMBER_ADD_ACCOUNT, { body, idempotencyKey: key.current.is });
    setSending(false);
    if (outcome?.ok) {
      learnAccount(outcome.answer.data);
      return go('/account', { replace: true });
    }
    const code = outcome?.refusal.code ?? '';
    setWrong(outcome ? refusalText(code, words.value.refusals) : signIn.unreachable);
  };
  return (
    <Screen
      title={words.value.add}
      head={
        <>
          <BackButton to="/account" label={back} />
          <b>{words.value.add}</b>
          <i />
        </>
      }
      headClass="of-order"
      action={
        <>
          <Wrong text={wrong} />
          <button type="submit" form="add-account" class="primary" disabled={sending}>
            {words.value.send}
          </button>
        </>
      }
    >
      <form
        id="add-account"
        ref={form}
        class="form"
        onSubmit={(event) => void send(event)}
        noValidate
      >
        {asked().length === 0 ? null : (
          <Choice
            id="currency"
            label={words.value.currency}
            hint={words.value.currencyHint}
            value={typed.currency}
            error={errors.currency}
            options={asked().map((each) => [each, each])}
            onChoose={(currency) => change({ currency })}
          />
        )}
        <Choice
          id="method"
          label={words.value.method}
          value={typed.method}
          error={errors.method}
          options={METHOD_CODES.map((each) => [
            each,
            methodName(each, typed.currency || undefined),
          ])}
          onChoose={(method) => change({ method })}
        />
        <NumberFields typed={typed} errors={errors} onChange={change} />
        <Field
          label={words.value.titleInWallet}
          hint={words.value.titleHint}
          value={typed.title}
          error={errors.title}
          onInput={(title) => change({ title })}
          input={{ autocomplete: 'off', maxlength: 200, dir: 'auto' }}
        />
        {typed.method !== '' && takesCode(typed.method) ? (
          <CodeField
            code={typed.code}
            error={errors.code}
            account={{ accountNumber: plain(typed.number), accountTitle: typed.title.trim() }}
            onCode={(code) => change({ code })}
          />
        ) : null}
        <p class="hint">{words.value.sendLead}</p>
      </form>
    </Screen>
  );
}

/** Which currencies there are to choose from: none where merchants take one. */
function asked(): readonly Currency[] {
  const taken = me.value?.orderCurrencies ?? [];
  return taken.length > 1 ? taken : [];
}

interface ChoiceProps<Value extends string> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: Value | '';
  readonly error: string | undefined;
  readonly options: readonly (readonly [value: Value, label: string])[];
  onChoose(value: Value): void;
}

function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { id, label, hint, value, error, options, onChoose } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={hint === undefined ? `${id}-wrong` : `${id}-wrong ${id}-hint`}
        onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}
      >
        <option value="" disabled>
          {words.value.choose}
        </option>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <p class="wrong" id={`${id}-wrong`}>
        {error}
      </p>
    </div>
  );
}

interface NumberFieldsProps {
  readonly typed: Typed;
  readonly errors: Errors;
  onChange(part: Partial<Typed>): void;
}

/** Typed twice, because a wrong digit pays another person; the second one cannot be pasted. */
function NumberFields({ typed, errors, onChange }: NumberFieldsProps) {
  const kind = typed.method === '' ? undefined : kindOf(typed.method);
  const input = {
    inputmode: kind === 'account' || kind === 'till' ? ('numeric' as const) : ('text' as const),
    ...{
      autocomplete: 'off',
      autocapitalize: 'characters' as const,
      dir: 'ltr' as const,
      maxlength: 50,
    },
  };
  return (
    <>
      <Field
        label={words.value.number}
        hint={kind && words.value.numberHints[kind]}
        value={typed.number}
        error={errors.number}
        onInput={(number) => onChange({ number })}
        input={input}
      />
      <Field
        label={words.value.again}
        hint={words.value.againHint}
        value={typed.again}
        error={errors.again ?? (differs(typed) ? words.value.differs : undefined)}
        onInput={(again) => onChange({ again })}
        input={{ ...input, onPaste: (event) => event.preventDefault() }}
      />
    </>
  );
}

const plain = (number: string): string => plainLine(number).replaceAll(' ', '').toUpperCase();

/** While it is typed: what cannot become the same any more. */
const differs = ({ number, again }: Typed): boolean => !plain(number).startsWith(plain(again));

/** Whose customers pay by a code, or may. */
const takesCode = (method: Method): boolean => isQr(method) || kindOf(method) === 'till';

function errorsOf({ currency, method, number, again, title, code }: Typed): Errors {
  const { missing, missingCurrency, missingMethod, missingCode, differs: other } = words.value;
  return {
    ...(asked().length > 0 && currency === '' && { currency: missingCurrency }),
    ...(method === '' && { method: missingMethod }),
    ...(plain(number) === '' && { number: missing }),
    ...(plain(again) === ''
      ? { again: missing }
      : plain(again) !== plain(number) && { again: other }),
    ...(title.trim() === '' && { title: missing }),
    ...(method !== '' && isQr(method) && code === null && { code: missingCode }),
  };
}

const without = (errors: Errors, fields: readonly (keyof Typed)[]): Errors =>
  Object.fromEntries(
    Object.entries(errors).filter(([field]) => !fields.includes(field as keyof Typed)),
  );

/** After the fields have been drawn with what is wrong with them. */
const focusOnWrong = (form: HTMLFormElement | null): void =>
  void requestAnimationFrame(() =>
    form?.querySelector<HTMLElement>('[aria-invalid="true"], .code-buttons input')?.focus(),
  );

import { useState } from 'react';
import { fieldError } from '../../states.tsx';
import { CodeInput } from './code-input.tsx';

const SIX_DIGITS = /^\d{6}$/;

/**
 * The one-time code that goes with the action of an `EffectDialog`. The field is there where the
 * code is `asked` for, and where the service has said that it is missing.
 */
export function useActionCode(asked: boolean, { takesFocus = true } = {}) {
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<Error | null>(null);
  const said = fieldError(failure, 'oneTimeCode');
  const shown = asked || said !== null;
  const ready = !shown || SIX_DIGITS.test(code);
  return {
    /** Empty where none is asked for. */
    code: shown ? code : '',
    field: shown ? (
      <CodeInput value={code} onChange={setCode} error={said} takesFocus={takesFocus} />
    ) : null,
    /** For the dialog. */
    dialog: {
      ready,
      ...(!ready && { unready: 'Enter the six digits of your app.' }),
      beside: ['oneTimeCode'],
    },
    /** Does the action, and shows at the field what is wrong with the code. */
    send: (action: () => Promise<unknown>): Promise<unknown> =>
      action().catch((error: Error) => {
        setFailure(error);
        throw error;
      }),
    /** Forgets the code, where the dialog closes and its component stays. */
    forget: () => {
      setCode('');
      setFailure(null);
    },
  };
}

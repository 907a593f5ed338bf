import { QR_PAYLOAD_BYTES_MAX, qrWarnings, readQrContent } from '@munshi/web';
import { useState } from 'preact/hooks';
import { CameraIcon, CloseIcon, GalleryIcon, TickIcon, WarnIcon } from '../parts/icons.tsx';
import { Exact } from '../parts/values.tsx';
import { Scanner } from './scanner.tsx';
import { words } from './words.ts';

interface CodeFieldProps {
  /** What it holds; null: none has been read. */
  readonly code: string | null;
  readonly error: string | undefined;
  readonly account: { readonly accountNumber: string; readonly accountTitle: string };
  onCode(code: string | null): void;
}

/** A QR code by camera or from a picture: what it holds is shown, and compared with what was typed. */
export function CodeField({ code, error, account, onCode }: CodeFieldProps) {
  const said = words.value;
  const [scanning, setScanning] = useState(false);
  const [reading, setReading] = useState(false);
  const [wrong, setWrong] = useState<string | undefined>();
  const take = (content: string | null) => {
    const bytes = new TextEncoder().encode(content ?? '').length;
    setWrong(
      content === null ? said.noCode : bytes > QR_PAYLOAD_BYTES_MAX ? said.tooLong : undefined,
    );
    if (content !== null && bytes <= QR_PAYLOAD_BYTES_MAX) onCode(content);
  };
  const readPicture = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    input.value = '';
    if (file === undefined) return;
    setReading(true);
    const read = async () => (await import('./read-code.ts')).readCodeOf(file);
    take(await read().catch(() => null));
    setReading(false);
  };
  const problem = wrong ?? error;
  return (
    <fieldset class="pictures code">
      <legend>{said.code}</legend>
      <p class="hint">{said.codeHint}</p>
      {code === null ? (
        <div class="pair code-buttons">
          <button type="button" class="secondary file" onClick={() => setScanning(true)}>
            <CameraIcon /> <span>{said.scan}</span>
          </button>
          <label class="secondary file">
            <input
              type="file"
              accept="image/*"
              class="unseen"
              disabled={reading}
              onChange={({ currentTarget }) => void readPicture(currentTarget)}
            />
            <GalleryIcon /> <span>{said.picture}</span>
          </label>
        </div>
      ) : (
        <Holds code={code} account={account} onRemove={() => onCode(null)} />
      )}
      <div role="status">
        {reading ? <p class="hint">{said.reading}</p> : null}
        {problem === undefined ? null : <p class="wrong">{problem}</p>}
      </div>
      {scanning ? (
        <Scanner
          onCode={(content) => {
            setScanning(false);
            take(content);
          }}
          onClose={() => setScanning(false)}
        />
      ) : null}
    </fieldset>
  );
}

interface HoldsProps {
  readonly code: string;
  readonly account: CodeFieldProps['account'];
  onRemove(): void;
}

function Holds({ code, account, onRemove }: HoldsProps) {
  const said = words.value;
  const { form, name, numbers, amount } = readQrContent(code);
  const facts = [
    [said.holdsName, name],
    [said.holdsNumber, numbers.join(', ') || null],
    [said.holdsAmount, amount],
  ] as const;
  return (
    <div class="card holds">
      <p class="holds-title">{said.holds}</p>
      {form === 'other' ? (
        <p class="whole-code">
          <Exact dir="ltr">{code}</Exact>
        </p>
      ) : (
        <dl class="facts">
          {facts.map(([label, value]) =>
            value === null ? null : (
              <>
                <dt>{label}</dt>
                <dd>
                  <Exact>{value}</Exact>
                </dd>
              </>
            ),
          )}
        </dl>
      )}
      <Check code={code} account={account} />
      <button type="button" class="bare remove" aria-label={said.removeCode} onClick={onRemove}>
        <CloseIcon />
      </button>
    </div>
  );
}

/** Once there is something to compare it with. */
function Check({ code, account }: Omit<HoldsProps, 'onRemove'>) {
  if (account.accountNumber === '' || account.accountTitle === '') return null;
  const warnings = qrWarnings({ ...account, qrPayload: code });
  if (warnings.length === 0)
    return (
      <p class="note good">
        <TickIcon size={18} /> <span>{words.value.fits}</span>
      </p>
    );
  return (
    <>
      {warnings.map((warning) => (
        <p class="note warn" key={warning}>
          <WarnIcon size={18} /> <span>{words.value.warnings[warning]}</span>
        </p>
      ))}
    </>
  );
}

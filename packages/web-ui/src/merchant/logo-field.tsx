import { Button, FileButton } from '@mantine/core';
import { LOGO_UPLOAD_BYTES_MAX } from '@munshi/api';
import ImageUp from 'lucide-react/icons/image-up';
import { type DragEvent, useId, useRef, useState } from 'react';
import classes from './merchant.module.css';
import { pageFields, texts } from './texts.ts';

const KINDS = 'image/png,image/jpeg,image/webp';

/** A picture as customers get it. */
export interface ShownLogo {
  readonly url: string;
  readonly bytes: number;
}

interface LogoFieldProps {
  /** What the service has made of the picture; null: there is none. */
  readonly shown: ShownLogo | null;
  readonly disabled: boolean;
  /** A `data:` URL, or null to take the picture away. */
  onChange(picture: string | null): void;
}

/** Chooses or takes a dropped picture, and shows what the service makes of it. */
export function LogoField({ shown, disabled, onChange }: LogoFieldProps) {
  const label = useId();
  const [over, setOver] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const forget = useRef<() => void>(null);
  const take = (file: File | null | undefined) => {
    if (!file) return;
    forget.current?.(); // so that the same file can be chosen again
    setWrong(file.size > LOGO_UPLOAD_BYTES_MAX ? texts.logoTooLarge : null);
    if (file.size <= LOGO_UPLOAD_BYTES_MAX)
      asDataUrl(file).then(onChange, () => setWrong(texts.logoUnread));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in every browser
    <div role="group" aria-labelledby={label}>
      <div id={label} className={classes['label']}>
        {pageFields.logo}
      </div>
      <div
        className={classes['drop']}
        data-over={over}
        {...(!disabled && {
          onDrop: drop,
          onDragOver: (event: DragEvent) => {
            event.preventDefault();
            setOver(true);
          },
          onDragLeave: () => setOver(false),
        })}
      >
        {shown === null ? (
          <span className="quiet">{texts.noLogo}</span>
        ) : (
          <span className={classes['logo-shown']}>
            <img className={classes['logo']} src={shown.url} alt={pageFields.logo} />
            <span className="quiet" role="status">
              {texts.logoBytes(shown.bytes)}
            </span>
          </span>
        )}
        {disabled ? null : (
          <span className={classes['save']}>
            <FileButton accept={KINDS} resetRef={forget} onChange={take}>
              {(props) => (
                <Button
                  {...props}
                  size="xs"
                  variant="default"
                  leftSection={<ImageUp size={14} aria-hidden />}
                >
                  {shown === null ? texts.chooseLogo : texts.changeLogo}
                </Button>
              )}
            </FileButton>
            {shown === null ? null : (
              <Button size="xs" variant="subtle" color="gray" onClick={() => onChange(null)}>
                {texts.removeLogo}
              </Button>
            )}
          </span>
        )}
      </div>
      {disabled ? null : <div className={classes['below']}>{texts.logoHint}</div>}
      <div role="alert" className={classes['wrong']}>
        {wrong}
      </div>
    </div>
  );
}

const asDataUrl = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

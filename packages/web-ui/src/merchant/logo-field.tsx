import { Button, FileButton } from '@mantine/core';
import { LOGO_UPLOAD_BYTES_MAX } from '@munshi/api';
import ImageUp from 'lucide-react/icons/image-up';
import { type DragEvent, useId, useRef, useState } from 'react';
import classes from './merchant.module.css';
import { pageFields } from './page-fields.ts';

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
    setWrong(file.size > LOGO_UPLOAD_BYTES_MAX ? 'The picture has more than 512 KB.' : null);
    if (file.size <= LOGO_UPLOAD_BYTES_MAX)
      asDataUrl(file).then(onChange, () => setWrong('This file could not be read.'));
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
          <span className="quiet">No logo</span>
        ) : (
          <span className={classes['logo-shown']}>
            <img className={classes['logo']} src={shown.url} alt={pageFields.logo} />
            <span className="quiet" role="status">
              {(shown.bytes / 1000).toFixed(1)} KB as customers load it
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
                  {shown === null ? 'Choose a picture' : 'Another picture'}
                </Button>
              )}
            </FileButton>
            {shown === null ? null : (
              <Button size="xs" variant="subtle" color="gray" onClick={() => onChange(null)}>
                Take it away
              </Button>
            )}
          </span>
        )}
      </div>
      {disabled ? null : (
        <div className={classes['below']}>
          Or drop one here. PNG, JPEG or WebP, at most 512 KB; it is shown 40 pixels high.
        </div>
      )}
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

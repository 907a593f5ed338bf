import { useEffect, useState } from 'preact/hooks';
import { words } from '../outbox/words.ts';
import { CameraIcon, CloseIcon, GalleryIcon } from '../parts/icons.tsx';
import type { Picked } from './picked.ts';

/** The service takes so many of an order from each member. */
export const PICTURES_MAX = 5;

const shrinkLater = async (file: Blob) => (await import('./shrink.ts')).shrink(file);

export interface PicturePickerProps {
  readonly picked: Picked;
  /** How many more there may be. */
  readonly room?: number;
  onPick(change: (before: Picked) => Picked): void;
}

/** M8: a photo or a picture of the gallery, cut down on the phone before it is kept. */
export function PicturePicker({ picked, room = PICTURES_MAX, onPick }: PicturePickerProps) {
  const evidence = words.value;
  const [unreadable, setUnreadable] = useState(false);
  const { contents, reading } = picked;
  // The network may be gone by the time that there is a picture.
  useEffect(() => void import('./shrink.ts').catch(() => {}), []);
  const add = async (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])].slice(0, room - contents.length);
    input.value = ''; // so that the same one can be chosen again
    if (files.length === 0) return;
    setUnreadable(false);
    onPick((before) => ({ ...before, reading: true }));
    for (const file of files) {
      const content = await shrinkLater(file).catch(() => undefined);
      if (content === undefined) setUnreadable(true);
      else onPick((before) => ({ ...before, contents: [...before.contents, content] }));
    }
    onPick((before) => ({ ...before, reading: false }));
  };
  const remove = (at: number) =>
    onPick((before) => ({
      ...before,
      contents: before.contents.filter((_, other) => other !== at),
    }));
  return (
    <fieldset class="pictures">
      <legend>{evidence.add}</legend>
      {contents.length < room ? (
        <div class="pair">
          <FileButton
            label={evidence.photo}
            icon={<CameraIcon />}
            camera
            disabled={reading}
            onFiles={add}
          />
          <FileButton
            label={evidence.gallery}
            icon={<GalleryIcon />}
            disabled={reading}
            onFiles={add}
          />
        </div>
      ) : null}
      {contents.length > 0 ? (
        <ul class="thumbs">
          {contents.map((content, at) => (
            <li key={content.slice(-64)}>
              <img src={content} alt={evidence.name(at + 1)} />
              <button
                type="button"
                aria-label={evidence.remove(evidence.name(at + 1))}
                onClick={() => remove(at)}
              >
                <CloseIcon size={18} />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <div role="status">
        {reading ? <p class="hint">{evidence.reading}</p> : null}
        {unreadable ? <p class="wrong">{evidence.unreadable}</p> : null}
      </div>
    </fieldset>
  );
}

interface FileButtonProps {
  readonly label: string;
  readonly icon: preact.JSX.Element;
  readonly camera?: boolean;
  readonly disabled: boolean;
  onFiles(input: HTMLInputElement): void;
}

const FileButton = ({ label, icon, camera = false, disabled, onFiles }: FileButtonProps) => (
  <label class="secondary file">
    <input
      type="file"
      accept="image/*"
      class="unseen"
      disabled={disabled}
      multiple={!camera}
      {...(camera && { capture: 'environment' as const })}
      onChange={({ currentTarget }) => void onFiles(currentTarget)}
    />
    {icon}
    <span>{label}</span>
  </label>
);

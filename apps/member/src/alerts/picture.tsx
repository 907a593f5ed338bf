import type { JSX } from 'preact';
import type { BackgroundStep } from './brands.ts';

/** What a phone shows where a step is done, drawn: nothing has to be loaded, or read. */

const Row = ({ y, marked = false }: { readonly y: number; readonly marked?: boolean }) => (
  <rect
    x="13"
    y={y}
    width={marked ? 38 : 24}
    height="5"
    rx="2.5"
    class={marked ? 'mark' : 'line'}
  />
);

const INSIDE: Readonly<Record<BackgroundStep['act'], JSX.Element>> = {
  open: (
    <>
      <Row y={14} />
      <rect x="9" y="23" width="46" height="13" rx="4" class="band" />
      <Row y={27} marked />
      <Row y={42} />
    </>
  ),
  choose: (
    <>
      <circle cx="16" cy="18" r="3.5" class="ring" />
      <rect x="24" y="16" width="24" height="5" rx="2.5" class="line" />
      <circle cx="16" cy="32" r="3.5" class="ring on" />
      <circle cx="16" cy="32" r="1.5" class="mark" />
      <rect x="24" y="30" width="28" height="5" rx="2.5" class="mark" />
      <circle cx="16" cy="46" r="3.5" class="ring" />
      <rect x="24" y="44" width="20" height="5" rx="2.5" class="line" />
    </>
  ),
  switchOn: (
    <>
      <Row y={14} />
      <rect x="13" y="29" width="20" height="5" rx="2.5" class="mark" />
      <rect x="37" y="26" width="18" height="11" rx="5.5" class="mark" />
      <circle cx="49.5" cy="31.5" r="3.5" class="hole" />
      <Row y={46} />
    </>
  ),
  lock: (
    <>
      <rect x="16" y="12" width="32" height="40" rx="5" class="band" />
      <rect x="24" y="31" width="16" height="12" rx="2.5" class="mark" />
      <path d="M27.5 31v-4a4.5 4.5 0 0 1 9 0v4" class="bow" />
    </>
  ),
};

export const StepPicture = ({ act }: Pick<BackgroundStep, 'act'>) => (
  <svg class="picture" width="64" height="64" viewBox="0 0 64 64" aria-hidden="true">
    <rect x="5" y="4" width="54" height="56" rx="8" class="frame" />
    {INSIDE[act]}
  </svg>
);

import type { JSX } from 'preact';

/** Drawn here: symbol glyphs are missing on cheap phones. All are decoration beside words. */

interface IconProps {
  readonly size?: number;
  readonly class?: string;
}

const icon =
  (path: string, extra?: JSX.Element) =>
  ({ size = 20, class: name }: IconProps) => (
    <svg
      class={name === undefined ? 'icon' : `icon ${name}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
      {extra}
    </svg>
  );

export const BackIcon = icon('M20 12H5M11 6l-6 6 6 6');
export const ForwardIcon = icon('M9 5l7 7-7 7');
export const PhoneIcon = icon('M7 3h10v18H7zM11 18h2');
export const MenuIcon = icon('M12 5v.1M12 12v.1M12 19v.1');
export const ShareIcon = icon('M12 15V3M8 7l4-4 4 4M6 11H5v10h14V11h-1');
export const CloseIcon = icon('M6 6l12 12M18 6L6 18');
export const CopyIcon = icon('M9 9h10v11H9zM5 15V4h10');
export const TickIcon = icon('M5 13l4.5 4.5L19 7');
export const CrossIcon = icon('M7 7l10 10M17 7L7 17');
export const WarnIcon = icon('M12 3.5l9.5 17h-19zM12 10v5M12 17.8v.2');
export const WorkIcon = icon('M4 7h16v12H4zM9 7V4h6v3M4 12h16');
export const HistoryIcon = icon('M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8v4.5l3 2');
export const PersonIcon = icon('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5a7.5 7.5 0 0 1 15 0');
export const ReloadIcon = icon('M20 12a8 8 0 1 1-2.5-5.8L20 8.5M20 4v4.5h-4.5');
export const OfflineIcon = icon(
  'M3 3l18 18M8.5 16a5 5 0 0 1 7 0M5 12.5a10 10 0 0 1 5-2.7M14.5 10a10 10 0 0 1 4.5 2.5M12 19.5v.1',
);
export const BellIcon = icon('M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4');
export const FlagIcon = icon('M6 21V4h12l-2.5 4L18 12H6');
export const CameraIcon = icon(
  'M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7',
);
export const GalleryIcon = icon('M4 5h16v14H4zM4 16l4.5-4.5L13 16l2.5-2.5L20 17.5M15.5 9.5v.1');
export const SearchIcon = icon('M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5L20 20');
export const DownloadIcon = icon('M12 4v11M7.5 11L12 15.5 16.5 11M5 19.5h14');
export const PlusIcon = icon('M12 5v14M5 12h14');

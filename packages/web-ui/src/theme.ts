import { createTheme, type MantineColorsTuple, rem } from '@mantine/core';

/** Shades around the one accent, `#1650b8`. */
const accent: MantineColorsTuple = [
  '#eef4ff',
  '#dfe9fb',
  '#bcd1f5',
  '#9cc0ff',
  '#5c8fe6',
  '#3470d2',
  '#1f5cc4',
  '#1650b8',
  '#123f91',
  '#0e306f',
];

/** For what cannot be taken back; white words stand on shades 5 and 7. */
const bad: MantineColorsTuple = [
  '#fdecea',
  '#fad4d0',
  '#f3aba4',
  '#ffb0a8',
  '#dc5b52',
  '#c8372f',
  '#b62c24',
  '#a3221b',
  '#8a1b15',
  '#6e1510',
];

/** Greys of the dark theme with the blue of the tokens. */
const dark: MantineColorsTuple = [
  '#eef2f7',
  '#b3bdca',
  '#8793a3',
  '#6b7787',
  '#3f4a58',
  '#2c3541',
  '#222b36',
  '#1b222c',
  '#161c24',
  '#11161d',
];

/** Open lists stand in the frame's `main`: people who go by landmarks find them. */
const OPTIONS = { shadow: 'md', portalProps: { target: '#content' } };

/** Sizes 12, 14, 16, 20, 28 on a 4-pixel grid; radius 8; system fonts. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 5 },
  colors: { accent, bad, dark },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace',
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  fontSizes: { xs: rem(12), sm: rem(14), md: rem(14), lg: rem(16), xl: rem(20) },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(20), lineHeight: rem(28) },
      h2: { fontSize: rem(16), lineHeight: rem(24) },
      h3: { fontSize: rem(14), lineHeight: rem(20) },
    },
  },
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        styles: { title: { fontSize: rem(16), fontWeight: 600, lineHeight: rem(22) } },
        overlayProps: { backgroundOpacity: 0.45 },
        transitionProps: { duration: 100 },
        // The dialog has a name of its own: its head is no banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', comboboxProps: OPTIONS } },
    MultiSelect: { defaultProps: { comboboxProps: OPTIONS } },
    Menu: { defaultProps: { shadow: 'md' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true, events: TOOLTIP_EVENTS() } },
  },
});

/** Words under the pointer are shown on focus too. */
function TOOLTIP_EVENTS() {
  return { hover: true, focus: true, touch: true };
}

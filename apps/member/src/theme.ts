import { effect, signal } from '@preact/signals';

const KEPT_AS = 'munshi-theme';
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const dark = matchMedia('(prefers-color-scheme: dark)');
const phoneIsDark = signal(dark.matches);
dark.addEventListener('change', () => {
  phoneIsDark.value = dark.matches;
});

const kept = localStorage.getItem(KEPT_AS);
export const theme = signal<Theme>(THEMES.find((each) => each === kept) ?? 'auto');

export function chooseTheme(next: Theme): void {
  localStorage.setItem(KEPT_AS, next);
  theme.value = next;
}

/** Shows the chosen colours, and those of the phone where none are chosen. */
export const applyTheme = (): void =>
  void effect(() => {
    const shown = theme.value === 'auto' ? (phoneIsDark.value ? 'dark' : 'light') : theme.value;
    document.documentElement.dataset['theme'] = shown;
  });

import { signal } from '@preact/signals';
import { tick } from './standing.ts';

/** Not every browser has it; nor does the library of types. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** The browser offers to install the app, once, soon after it was opened. */
export const installPrompt = signal<InstallPrompt | null>(null);

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault(); // by the button of M2, and not by itself over somebody's work
  installPrompt.value = event as InstallPrompt;
});
addEventListener('appinstalled', () => {
  installPrompt.value = null;
  tick('install');
});

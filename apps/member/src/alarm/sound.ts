import { signal } from '@preact/signals';

/**
 * The alarm's sound, made here: nothing has to be loaded for it, and it is as loud as the phone
 * allows. Browsers keep it back until somebody has touched the page.
 */

let context: AudioContext | undefined;
/** Whether the browser lets it sound now. */
export const soundAllowed = signal(false);

/** Called from a touch or a key, which is what browsers wait for. */
export function unlockSound(): void {
  if (typeof AudioContext === 'undefined') return; // Safari before 14.1
  context ??= new AudioContext();
  void context.resume().then(() => {
    soundAllowed.value = context?.state === 'running';
  });
}

for (const kind of ['pointerdown', 'keydown'])
  addEventListener(kind, unlockSound, { capture: true, passive: true });

const REPEAT_MS = 1_600;
/** Two rising tones, thrice: seconds from the beginning, and hertz. */
const TONES = [
  [0, 880],
  [0.14, 1175],
  [0.4, 880],
  [0.54, 1175],
  [0.8, 988],
  [0.94, 1319],
] as const;

function playOnce(audio: AudioContext): void {
  for (const [after, hertz] of TONES) {
    const begin = audio.currentTime + after;
    const tone = new OscillatorNode(audio, { type: 'triangle', frequency: hertz });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(0.9, begin + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.13);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.15);
  }
}

const VIBRATION = [300, 120, 300, 120, 600];

/** Sounds and shakes again and again until the answered function is called. */
export function startAlarmSound(): () => void {
  const once = () => {
    if (context?.state === 'running') playOnce(context);
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION);
  };
  once();
  const timer = setInterval(once, REPEAT_MS);
  return () => {
    clearInterval(timer);
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(0);
  };
}

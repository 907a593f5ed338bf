import { computed, signal } from '@preact/signals';

/** How far this phone is set up to alert its member: what M2 ticks, and M3 warns of. */

export const STEPS = ['install', 'notify', 'background', 'sound', 'test'] as const;
export type Step = (typeof STEPS)[number];

/** What is the phone's is kept beyond a sign-in; what is pushed to it ends with that. */
interface Standing {
  /** Said by the member, or known from the browser. */
  readonly ticked: readonly Step[];
  /** What the service pushes to; null: it does not. */
  readonly endpoint: string | null;
  /** How long the last test took to come; null: none has come. */
  readonly testMs: number | null;
  /** They have seen M2, and done or skipped it. */
  readonly asked: boolean;
}

const KEPT_AS = 'munshi-alerts';
const NOTHING: Standing = { ticked: [], endpoint: null, testMs: null, asked: false };

function readKept(): Standing {
  try {
    return { ...NOTHING, ...JSON.parse(localStorage.getItem(KEPT_AS) ?? '{}') };
  } catch {
    return NOTHING;
  }
}

export const standing = signal(readKept());

export function note(change: Partial<Standing>): void {
  standing.value = { ...standing.value, ...change };
  localStorage.setItem(KEPT_AS, JSON.stringify(standing.value));
}

/** Nothing is pushed to this phone any more. */
export const forgetPush = (): void => note({ endpoint: null, testMs: null });

export const tick = (step: Step): void =>
  note({ ticked: [...standing.value.ticked.filter((each) => each !== step), step] });

/** How the browser answers for notifications; it says nothing when that changes. */
export const permission = signal(readPermission());
function readPermission(): NotificationPermission | 'unsupported' {
  const able = 'Notification' in globalThis && 'PushManager' in globalThis;
  return able ? Notification.permission : 'unsupported';
}
/** iPhones say it by a word of their own. */
const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches ||
  (navigator as { readonly standalone?: boolean }).standalone === true;

export const lookAtPermission = (): void => {
  permission.value = readPermission();
};

const isDone: Readonly<Record<Step, (standing: Standing) => boolean>> = {
  install: ({ ticked }) => isInstalled() || ticked.includes('install'),
  notify: ({ endpoint }) => permission.value === 'granted' && endpoint !== null,
  background: ({ ticked }) => ticked.includes('background'),
  sound: ({ ticked }) => ticked.includes('sound'),
  test: ({ testMs }) => testMs !== null,
};

/** Which steps are to be done. */
export const openSteps = computed<readonly Step[]>(() =>
  STEPS.filter((step) => !isDone[step](standing.value)),
);

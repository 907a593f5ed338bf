import type { ComponentChildren } from 'preact';

/** A step of M2, as its card and the bottom edge show it. */
export interface StepView {
  readonly body: ComponentChildren;
  /** What it needs; left out where it is done. */
  readonly action?: ComponentChildren;
  /** In the place of `Done`. */
  readonly result?: string | undefined;
}

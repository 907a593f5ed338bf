import type { ComponentType } from 'react';

/** A screen of an app. All but the first are lazy: their code is loaded when they are opened. */
export interface Screen {
  /** Below the app's address, with `:name` for parameters; the first that fits is shown. */
  readonly path: string;
  /** Its tabs have addresses of their own, `:tab` below it. */
  readonly hasTabs?: true;
  /** The screen of the menu that it belongs to, where its address does not say so. */
  readonly within?: string;
  readonly page: ComponentType;
  /** Its place in the menu; without one it is reached from another screen. */
  readonly menu?: {
    readonly label: string;
    /** After `g`. */
    readonly letter: string;
    readonly icon: ComponentType<{ size?: number }>;
    /** False: the menu names what is in it, and not the screen itself. */
    readonly isListed?: boolean;
  };
}

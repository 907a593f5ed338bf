import type { Page } from 'playwright-core';
import type { TestMember } from '../../../support/fixtures.ts';

/** A state of a screen of the member app, and how it is reached. */
export interface State {
  readonly name: string;
  readonly path: string;
  /** Undefined: nobody is signed in. */
  readonly who?: TestMember | undefined;
  reach(page: Page): Promise<unknown>;
}

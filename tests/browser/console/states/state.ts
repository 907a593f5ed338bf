import type { Page } from 'playwright-core';
import type { Role } from '../../../support/console.ts';
import type { Service } from '../../../support/service.ts';

/**
 * A state of a screen to look at: `npm run test:deep -- screens` checks each, `npm run screenshots`
 * saves it.
 */
export interface ScreenState {
  /** `merchants-empty`: the screen and its state; names the pictures. */
  readonly name: string;
  /** Null: nobody is signed in. `admin` by default. */
  readonly role?: Role | null;
  /** Below /console; made from what `prepare` answers. */
  readonly path: string | ((prepared: Record<string, string>) => string);
  /** Makes what the state shows. */
  prepare?(service: Service): Promise<Record<string, string>>;
  /** Brings the page into the state. It waits until the state is there. */
  reach(page: Page, prepared: Record<string, string>): Promise<void>;
  /** Takes back what other states would stumble over. */
  leave?(service: Service): Promise<unknown>;
}

import type { AccountReader } from '../members/accounts.store.ts';
import type { PageOrderReader } from '../orders/page.store.ts';
import type { Deps } from '../people/deps.ts';

/** What the payment page is given. */
export interface PageDeps extends Deps {
  readonly readers: PageOrderReader & AccountReader;
}

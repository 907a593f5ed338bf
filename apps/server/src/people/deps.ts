import type { ConfirmTimes } from '../engine/confirm-times.ts';
import type { Engine } from '../engine/engine.ts';
import type { Ids } from '../engine/ids.ts';
import type { PlatformDeps } from '../platform/http/deps.ts';
import type { SignInFailures } from './sign-in-failures.service.ts';

/**
 * What the routes of every subject are given; made once in app.ts. Routes that need more add it to
 * the type of their argument (`Deps & { readonly readers: … }`); `faces/deps.ts` has all of it.
 */
export interface Deps extends PlatformDeps {
  readonly engine: Engine;
  readonly ids: Ids;
  readonly confirmTimes: ConfirmTimes;
  readonly signInFailures: SignInFailures;
}

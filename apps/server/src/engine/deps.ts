import type { Engine } from './engine.ts';
import type { Ids } from './ids.ts';

declare module '../http/deps.ts' {
  interface Deps {
    readonly engine: Engine;
    readonly ids: Ids;
  }
}

import type { PushKeys } from '../member-alerts/push.service.ts';
import type { MerchantTraffic } from '../merchants/traffic.service.ts';
import type { Deps } from '../people/deps.ts';
import type { Readers } from './readers.ts';

/** All that the faces are given; made once in app.ts. */
export interface FaceDeps extends Deps {
  readonly readers: Readers;
  readonly traffic: MerchantTraffic;
  /** Created on first use. */
  readonly pushKeys: () => Promise<PushKeys>;
}

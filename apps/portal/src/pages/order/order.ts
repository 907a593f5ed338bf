import type { PortalOrderDetail } from '@munshi/api';
import type { AsText } from '@munshi/web';

export type Order = AsText<PortalOrderDetail>;

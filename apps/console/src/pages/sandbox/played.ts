import type { SandboxOrderView } from '@munshi/api';
import type { AsText } from '@munshi/web';

/** What the roles play in, amounts as text. */
export type Played = AsText<SandboxOrderView>;

import type { FoundLink } from '../storage/recovery-links.ts';
import { jsonTime } from './values.ts';

/** Whose link it is, as both faces show it. */
export const showRecovery = ({ username, name, expiresAt }: FoundLink) => ({
  username,
  name,
  expiresAt: jsonTime(expiresAt),
});

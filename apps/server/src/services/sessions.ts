import { hash } from 'node:crypto';

/** How tokens are stored and looked up: SHA-256, in hex. */
export const hashToken = (token: string): string => hash('sha256', token);

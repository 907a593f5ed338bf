import { setTimeout } from 'node:timers/promises';

/**
 * Lets the load go on as it is for so long. For pacing alone: what a test wants to see it polls
 * for.
 */
export const pace = (ms: number): Promise<void> => setTimeout(ms);

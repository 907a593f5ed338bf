import { setTimeout } from 'node:timers/promises';

/** Waits so many milliseconds: to pace a load alone. What a test wants to see it polls for. */
export const pace = (ms: number): Promise<void> => setTimeout(ms);

/**
 * How long a test waits for a state before it fails, in milliseconds. It only ends what hangs, so it
 * is many times what a busy machine needs: no test has a smaller limit of its own.
 */
export const PATIENCE_MS = 120_000;

/** A whole test, or a hook: time for several waits and some dozen starts on a busy machine. */
export const TEST_MS = 900_000;

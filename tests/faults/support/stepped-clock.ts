import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Loaded into a server process before the server (`node --import`): its wall clock can then be
 * stepped from outside, as an operator or a time daemon steps a machine's. The file that
 * CLOCK_STEP_FILE names holds the milliseconds it is off; the one beside it, `.shown`, those that
 * it shows.
 */
const file = process.env['CLOCK_STEP_FILE'] as string;
const Real = Date;
let offMs = 0;

const read = () => {
  const given = Number(readFileSync(file, 'utf8'));
  if (given === offMs) return;
  offMs = given;
  writeFileSync(`${file}.shown`, String(offMs));
};
read();
setInterval(read, 20).unref();

globalThis.Date = class extends Real {
  constructor(...values: [] | ConstructorParameters<DateConstructor>) {
    if (values.length === 0) super(Real.now() + offMs);
    else super(...(values as ConstructorParameters<DateConstructor>));
  }
  static override now() {
    return Real.now() + offMs;
  }
} as DateConstructor;

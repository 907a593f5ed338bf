import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where the service on this data folder listens: commands on the same data print links to it. */
const fileOf = (dataDir: string) => path.join(dataDir, 'address');

export const keepAddress = (dataDir: string, address: string): void =>
  writeFileSync(fileOf(dataDir), address, { mode: 0o600 });

/** Undefined before the first start. */
export const readAddress = (dataDir: string): string | undefined =>
  existsSync(fileOf(dataDir)) ? readFileSync(fileOf(dataDir), 'utf8') : undefined;

import type { Workload } from '../bench.ts';

export const commerce: Workload = {
  name: 'commerce',
  about: 'whole orders of commerce servers from npm, on the same Postgres',
  async run() {},
};

import type { Job, JobDeps } from '../platform/jobs/worker.ts';
import { chainAuditLog, checkAuditChain } from './chain.service.ts';

/** Links what was written to the audit log; never in the transaction that wrote it. */
export function auditChain(deps: JobDeps): Job {
  return { name: 'audit-chain', everyMs: 1_000, run: () => chainAuditLog(deps) };
}

export function auditCheck(deps: JobDeps): Job {
  return {
    name: 'audit-check',
    everyMs: 60_000,
    async run() {
      const broken = await checkAuditChain(deps);
      if (broken !== undefined)
        deps.log.error({ broken }, 'the audit log was changed: its chain of hashes is broken');
      return false;
    },
  };
}

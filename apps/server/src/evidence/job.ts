import type { Job, JobDeps } from '../platform/jobs/worker.ts';
import { deleteOldPictures } from './service.ts';

export function oldPictures(deps: JobDeps): Job {
  return {
    name: 'old-pictures',
    everyMs: 600_000,
    irrevocable: true,
    run: () => deleteOldPictures(deps),
  };
}

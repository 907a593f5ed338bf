import { makeHashesCheap } from '../../apps/server/src/passwords.ts';

makeHashesCheap();

import { makeHashesCheap } from '../../apps/server/src/platform/sign-in/passwords.ts';

makeHashesCheap();

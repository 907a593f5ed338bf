import { tryAsInsider } from './insider-group.ts';

await tryAsInsider('approver');

import { READ_QUEUES } from '@munshi/api';
import { useRead } from '@munshi/web-ui';

/** How much waits in every queue, also by deadlines that come near. */
export const useQueueCounts = () =>
  useRead(
    READ_QUEUES,
    {},
    {
      watch: ['order', 'claim', 'approval', 'delivery', 'member', 'setting'],
      changesWithTime: true,
    },
  );

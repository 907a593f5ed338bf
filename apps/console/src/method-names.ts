import { READ_SETTINGS } from '@munshi/api';
import { methodNames, useRead } from '@munshi/web-ui';

export const { useMethodName, MethodName, MethodCell } = methodNames(
  () => useRead(READ_SETTINGS, {}, { watch: ['setting'] }).data?.data.displayNames,
);

import { PORTAL_READ_MERCHANT } from '@munshi/api';
import { methodNames, useRead } from '@munshi/web-ui';

export const { useMethodName, MethodName, MethodCell } = methodNames(
  () => useRead(PORTAL_READ_MERCHANT, {}).data?.data.displayNames,
);

import { PORTAL_READ_MERCHANT } from '@munshi/api';
import { methodName, useRead } from '@munshi/web-ui';

/** The name of a method as customers see it. */
export function useMethodName(): (method: string) => string {
  const merchant = useRead(PORTAL_READ_MERCHANT, {});
  const names = merchant.data?.data.displayNames ?? {};
  return (method) => methodName(names, method);
}

/** The name of a method. */
export const MethodName = ({ method }: { readonly method: string }) => useMethodName()(method);

import { PORTAL_READ_MERCHANT } from '@munshi/api';
import { Cut, methodName, useRead } from '@munshi/web-ui';

/** The name of a method as customers see it; of no order, as in general. */
export function useMethodName(): (method: string, currency?: string) => string {
  const merchant = useRead(PORTAL_READ_MERCHANT, {});
  const names = merchant.data?.data.displayNames ?? {};
  return (method, currency) => methodName(names, method, currency);
}

/** The name of a method. */
export const MethodName = ({
  method,
  currency,
}: {
  readonly method: string;
  readonly currency?: string;
}) => useMethodName()(method, currency);

/** The same in a column of a list. */
export const MethodCell = ({
  method,
  currency,
}: {
  readonly method: string;
  readonly currency?: string;
}) => <Cut>{useMethodName()(method, currency)}</Cut>;

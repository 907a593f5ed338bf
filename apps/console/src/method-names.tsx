import { READ_SETTINGS } from '@munshi/api';
import { Cut, methodName, useRead } from '@munshi/web-ui';

/** The name of a method as customers see it; of no order, as in general. */
export function useMethodName(): (method: string, currency?: string) => string {
  const settings = useRead(READ_SETTINGS, {}, { watch: ['setting'] });
  const names = settings.data?.data.displayNames ?? {};
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

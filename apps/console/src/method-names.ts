import { READ_SETTINGS } from '@munshi/api';
import { useRead } from '@munshi/web-ui';

/** The name of a method as the settings show it to customers and operators; else its own. */
export function useMethodName(): (method: string) => string {
  const settings = useRead(READ_SETTINGS, {}, { watch: ['setting'] });
  const names = settings.data?.data.displayNames.methods ?? {};
  return (method) => names[method] ?? method;
}

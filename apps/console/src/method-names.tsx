import { READ_SETTINGS } from '@munshi/api';
import { useRead } from '@munshi/web-ui';
import { texts } from './texts.ts';

/** The name of a method as the settings show it to customers; else that of its provider and kind. */
export function useMethodName(): (method: string) => string {
  const settings = useRead(READ_SETTINGS, {}, { watch: ['setting'] });
  const { methods = {}, providers = {} } = settings.data?.data.displayNames ?? {};
  return (method) => {
    const parts = texts.methods[method];
    if (methods[method] !== undefined || parts === undefined) return methods[method] ?? method;
    const { provider, kind } = parts;
    return texts.methodName(providers[provider] ?? provider, kind);
  };
}

/** The name of a method. */
export const MethodName = ({ method }: { readonly method: string }) => useMethodName()(method);

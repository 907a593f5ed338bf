import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { ApiError, type Service, ServiceProvider } from './api.tsx';
import { KeyboardProvider } from './keyboard.tsx';
import { theme } from './theme.ts';

/** The nonce that the service gave this answer; styles are made under it. */
const nonce = () => document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';

/** Where the library that holds the page still under a dialog looks for it. */
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce();

/** Nothing is said before something was done. */
const Notifications = lazy(() => import('./notifications.ts'));

/** What stands around every app: look, data, keyboard, notifications. */
export function WebApp({ service, children }: { service: Service; children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={nonce}>
      <QueryClientProvider client={client}>
        <ServiceProvider service={service}>
          <KeyboardProvider>{children}</KeyboardProvider>
        </ServiceProvider>
      </QueryClientProvider>
      <Suspense>
        <Notifications position="bottom-right" />
      </Suspense>
    </MantineProvider>
  );
}

/** The client of calls repeats what may be repeated; a refusal is final. */
const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: (count, error) => !(error instanceof ApiError) && count < 2,
        staleTime: 2_000,
        gcTime: 10 * 60_000,
      },
      // A write that cannot be sent fails. It does not wait unseen for a network.
      mutations: { networkMode: 'always' },
    },
  });

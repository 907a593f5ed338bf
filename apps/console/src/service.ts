import { createWebService } from '@munshi/web-ui';

/** The operator face, asked with the cookie of the sign-in. */
export const service = createWebService({
  app: 'console',
  face: 'operator',
  baseUrl: import.meta.env.BASE_URL,
});

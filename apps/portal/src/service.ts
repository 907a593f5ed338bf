import { createWebService } from '@munshi/web-ui';

/** The portal face, asked with the cookie of the sign-in. */
export const service = createWebService({
  app: 'portal',
  face: 'portal',
  baseUrl: import.meta.env.BASE_URL,
});

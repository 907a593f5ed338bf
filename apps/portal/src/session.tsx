import {
  PORTAL_SIGN_IN,
  PORTAL_SIGN_OUT,
  PORTAL_WHO_AM_I,
  type PortalSessionView,
} from '@munshi/api';
import { callOrThrow, type SignInFace, useSignedIn } from '@munshi/web-ui';
import { service } from './service.ts';
import { texts } from './texts.ts';

const { api } = service;

/** Who is signed in, for which merchant. */
export function useSession() {
  const { view, signOut } = useSignedIn<PortalSessionView>();
  return { user: view.user, merchant: view.merchant, signOut };
}

/** P1. */
export const SIGN_IN_FACE: SignInFace<PortalSessionView> = {
  web: service,
  lead: texts.signIn.lead,
  forgotten: texts.signIn.forgotten,
  signIn: async ({ username, password }) =>
    (await callOrThrow(api, PORTAL_SIGN_IN, { body: { username, password } })).data,
  whoAmI: async () => (await callOrThrow(api, PORTAL_WHO_AM_I, {})).data,
  signOut: () => api.call(PORTAL_SIGN_OUT, {}),
  whoOf: ({ user: { portalUserId, name, username } }) => ({ id: portalUserId, name, username }),
  codes: {
    setUp: () => Promise.reject(new Error('not asked for')),
    confirm: () => Promise.reject(new Error('not asked for')),
  },
};

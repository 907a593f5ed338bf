import {
  PORTAL_CONFIRM_CODE,
  PORTAL_SET_UP_CODE,
  PORTAL_SIGN_IN,
  PORTAL_SIGN_OUT,
  PORTAL_WHO_AM_I,
  type PortalSessionView,
} from '@munshi/api';
import { type CodeCalls, callOrThrow, type SignInFace, useSignedIn } from '@munshi/web-ui';
import { service } from './service.ts';

const { api } = service;

/** Who is signed in, for which merchant. */
export function useSession() {
  const { view, signOut } = useSignedIn<PortalSessionView>();
  return { user: view.user, merchant: view.merchant, signOut };
}

export const CODES: CodeCalls = {
  setUp: async (currentPassword) =>
    (await callOrThrow(api, PORTAL_SET_UP_CODE, { body: { currentPassword } })).data,
  confirm: async (oneTimeCode) =>
    (await callOrThrow(api, PORTAL_CONFIRM_CODE, { body: { oneTimeCode } })).data.recoveryCodes,
};

/** P1. */
export const SIGN_IN_FACE: SignInFace<PortalSessionView> = {
  web: service,
  lead: 'Merchant portal',
  forgotten:
    'Forgotten your password? Ask an admin of your company, or your operator, for a recovery link.',
  signIn: async (body) => (await callOrThrow(api, PORTAL_SIGN_IN, { body })).data,
  whoAmI: async () => (await callOrThrow(api, PORTAL_WHO_AM_I, {})).data,
  signOut: () => api.call(PORTAL_SIGN_OUT, {}),
  whoOf: ({ user: { portalUserId, name, username } }) => ({ id: portalUserId, name, username }),
  codes: CODES,
};

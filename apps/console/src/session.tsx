import {
  CONFIRM_CODE,
  type OperatorSessionView,
  SET_UP_CODE,
  SIGN_IN,
  SIGN_OUT,
  WHO_AM_I,
} from '@munshi/api';
import { type CodeCalls, callOrThrow, type SignInFace, useSignedIn } from '@munshi/web-ui';
import { service } from './service.ts';

const { api } = service;

export type Operator = OperatorSessionView['operator'];

export type Capability = Operator['capabilities'][number];

/** What the role of the person signed in allows. */
export const may = ({ capabilities }: Pick<Operator, 'capabilities'>, needed: Capability) =>
  capabilities.includes(needed);

/** Who is signed in. */
export function useSession() {
  const { view, signOut } = useSignedIn<OperatorSessionView>();
  return { operator: view.operator, signOut };
}

export const CODES: CodeCalls = {
  setUp: async (currentPassword) =>
    (await callOrThrow(api, SET_UP_CODE, { body: { currentPassword } })).data,
  confirm: async (oneTimeCode) =>
    (await callOrThrow(api, CONFIRM_CODE, { body: { oneTimeCode } })).data.recoveryCodes,
};

/** C1. */
export const SIGN_IN_FACE: SignInFace<OperatorSessionView> = {
  web: service,
  lead: 'Operator console',
  forgotten:
    'Forgotten your password? Ask an admin for a recovery link. The first admin and approvers get theirs on the server: munshi operator-link NAME.',
  signIn: async (body) => (await callOrThrow(api, SIGN_IN, { body })).data,
  whoAmI: async () => (await callOrThrow(api, WHO_AM_I, {})).data,
  signOut: () => api.call(SIGN_OUT, {}),
  whoOf: ({ operator: { operatorId, name, username } }) => ({ id: operatorId, name, username }),
  codes: CODES,
};

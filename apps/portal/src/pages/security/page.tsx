import {
  PORTAL_CHANGE_PASSWORD,
  PORTAL_END_OTHER_SESSIONS,
  PORTAL_END_SESSION,
  PORTAL_LIST_SESSIONS,
  PORTAL_READ_CODE_STATE,
  PORTAL_RENEW_RECOVERY_CODES,
  PORTAL_TURN_CODE_OFF,
} from '@munshi/api';
import { OwnSignIn, type OwnSignInFace } from '@munshi/web-ui';
import { service } from '../../service.ts';
import { CODES } from '../../session.tsx';

const FACE: OwnSignInFace = {
  web: service,
  codes: CODES,
  codeState: PORTAL_READ_CODE_STATE,
  turnCodeOff: PORTAL_TURN_CODE_OFF,
  renewCodes: PORTAL_RENEW_RECOVERY_CODES,
  list: PORTAL_LIST_SESSIONS,
  end: PORTAL_END_SESSION,
  endOthers: PORTAL_END_OTHER_SESSIONS,
  changePassword: PORTAL_CHANGE_PASSWORD,
  passwordLead: 'A new password signs you out everywhere else.',
};

export default function SecurityPage() {
  return <OwnSignIn face={FACE} />;
}

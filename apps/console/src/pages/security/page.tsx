import {
  CHANGE_OWN_PASSWORD,
  END_OTHER_SESSIONS,
  END_SESSION,
  LIST_SESSIONS,
  READ_CODE_STATE,
  RENEW_RECOVERY_CODES,
  TURN_CODE_OFF,
} from '@munshi/api';
import { OwnSignIn, type OwnSignInFace } from '@munshi/web-ui';
import { service } from '../../service.ts';
import { CODES } from '../../session.tsx';

const FACE: OwnSignInFace = {
  web: service,
  codes: CODES,
  codeState: READ_CODE_STATE,
  turnCodeOff: TURN_CODE_OFF,
  renewCodes: RENEW_RECOVERY_CODES,
  list: LIST_SESSIONS,
  end: END_SESSION,
  endOthers: END_OTHER_SESSIONS,
  changePassword: CHANGE_OWN_PASSWORD,
  passwordLead: 'A new password signs you out everywhere else and ends your script tokens.',
};

export default function SecurityPage() {
  return <OwnSignIn face={FACE} />;
}

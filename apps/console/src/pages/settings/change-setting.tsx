import { CHANGE_SETTINGS, SAFEGUARDS, SECONDS_MIN } from '@munshi/api';
import {
  amountField,
  countField,
  type FieldsOf,
  minutesField,
  optional,
  switchField,
} from '@munshi/web-ui';
import { texts as fieldTexts } from '../../changes-texts.ts';
import { EditDialog } from '../../edit-dialog.tsx';
import type { SettingName, Settings } from './shown-setting.tsx';
import { texts } from './texts.ts';

const FIELDS: FieldsOf<Pick<Settings, SettingName>> = {
  paymentPageTtlSeconds: minutesField(SECONDS_MIN.paymentPageTtlSeconds),
  memberConfirmationWindowSeconds: minutesField(SECONDS_MIN.memberConfirmationWindowSeconds),
  payoutWindowSeconds: minutesField(SECONDS_MIN.payoutWindowSeconds),
  sendingGraceSeconds: minutesField(SECONDS_MIN.sendingGraceSeconds),
  awaitingWithdrawalTimeoutSeconds: minutesField(SECONDS_MIN.awaitingWithdrawalTimeoutSeconds),
  missedAlertsMax: optional(countField({ least: 1, most: 100, hint: texts.neverHint })),
  requireSecondOperator: switchField(),
  adjustmentApprovalLimit: optional(amountField({ hint: texts.noLimitHint })),
  requireOneTimeCode: switchField(),
  stopWithdrawalsOnBreach: switchField(),
  evidenceDays: countField({ least: 1, most: 3650 }),
};

/** Changes one setting, and says for whom. */
export function ChangeSetting({
  name,
  settings,
  onClose,
}: {
  readonly name: SettingName;
  readonly settings: Settings;
  onClose(): void;
}) {
  const isSafeguard = (SAFEGUARDS as readonly SettingName[]).includes(name);
  return (
    <EditDialog
      title={texts.changeOf(fieldTexts.field(name))}
      button={texts.change}
      lead={<p>{texts.who[name]}</p>}
      fields={FIELDS}
      shown={[name]}
      before={settings}
      endpoint={CHANGE_SETTINGS}
      request={(body) => ({ body })}
      onClose={onClose}
    >
      {isSafeguard ? <p className="quiet">{texts.alone}</p> : null}
    </EditDialog>
  );
}

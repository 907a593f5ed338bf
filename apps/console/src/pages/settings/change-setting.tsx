import { CHANGE_SETTINGS, SECONDS_MIN } from '@munshi/api';
import {
  amountField,
  countField,
  type FieldsOf,
  minutesField,
  optional,
  switchField,
} from '@munshi/web-ui';
import { EditDialog } from '../../edit-dialog.tsx';
import { fieldLabel } from '../../field-names.ts';
import type { SettingName, Settings } from './shown-setting.tsx';
import { WHO } from './who.ts';

const FIELDS: FieldsOf<Pick<Settings, SettingName>> = {
  paymentPageTtlSeconds: minutesField(SECONDS_MIN.paymentPageTtlSeconds),
  memberConfirmationWindowSeconds: minutesField(SECONDS_MIN.memberConfirmationWindowSeconds),
  payoutWindowSeconds: minutesField(SECONDS_MIN.payoutWindowSeconds),
  sendingGraceSeconds: minutesField(SECONDS_MIN.sendingGraceSeconds),
  awaitingWithdrawalTimeoutSeconds: minutesField(SECONDS_MIN.awaitingWithdrawalTimeoutSeconds),
  missedAlertsMax: optional(countField({ least: 1, most: 100, hint: 'Leave it empty for never.' })),
  memberShareBasisPoints: optional(
    countField({ least: 1, most: 10_000, hint: 'In hundredths of a percent: 50 is 0.5 %.' }),
  ),
  requireSecondOperator: switchField(),
  adjustmentApprovalLimit: optional(
    amountField({
      hint: 'Leave it empty for no limit. While a second operator is required, that counts as 0.',
    }),
  ),
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
  return (
    <EditDialog
      title={`Change: ${fieldLabel(name)}`}
      button="Change"
      lead={<p>{WHO[name]}</p>}
      fields={FIELDS}
      shown={[name]}
      before={settings}
      endpoint={CHANGE_SETTINGS}
      request={(body) => ({ body })}
      onClose={onClose}
    />
  );
}

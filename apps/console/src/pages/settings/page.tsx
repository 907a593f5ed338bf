import { Button } from '@mantine/core';
import { READ_SETTINGS } from '@munshi/api';
import { Card, isAskedFor, Loaded, Page, useRead } from '@munshi/web-ui';
import { type ReactNode, useState } from 'react';
import { fieldLabel } from '../../field-names.ts';
import { may, useSession } from '../../session.tsx';
import { AlertChannels } from './alert-channels.tsx';
import { ChangeSetting } from './change-setting.tsx';
import { DisplayNames } from './display-names.tsx';
import { SecondOperator } from './second-operator.tsx';
import classes from './settings.module.css';
import { type SettingName, shownSetting } from './shown-setting.tsx';
import { WHO } from './who.ts';

/** The title of each one's card, in order. */
const TITLES: Readonly<Record<SettingName, string>> = {
  paymentPageTtlSeconds: 'Time limits',
  memberConfirmationWindowSeconds: 'Time limits',
  payoutWindowSeconds: 'Time limits',
  sendingGraceSeconds: 'Time limits',
  awaitingWithdrawalTimeoutSeconds: 'Time limits',
  missedAlertsMax: 'Alerts',
  memberShareBasisPoints: 'Members',
  requireSecondOperator: 'Safety',
  adjustmentApprovalLimit: 'Safety',
  requireOneTimeCode: 'Safety',
  stopWithdrawalsOnBreach: 'Safety',
  evidenceDays: 'Retention',
};
const GROUPS = [...Map.groupBy(Object.keys(TITLES) as SettingName[], (name) => TITLES[name])];

/** C14, the settings: with unit, and what changes for whom. */
export default function SettingsPage() {
  const { operator } = useSession();
  const mayChange = may(operator, 'administer');
  const read = useRead(READ_SETTINGS, {}, { watch: ['setting'] });
  const [changing, setChanging] = useState<SettingName | null>(() =>
    mayChange && isAskedFor('requireSecondOperator') ? 'requireSecondOperator' : null,
  );
  return (
    <Page
      title="Settings"
      lead="Changes apply to orders and steps from now on. Deadlines that are already set stay."
    >
      <Loaded read={read} rows={10}>
        {({ data: settings }) => (
          <>
            {GROUPS.map(([title, names]) => (
              <Card key={title} title={title}>
                <dl className={classes['settings']}>
                  {names.map((name) => (
                    <Setting
                      key={name}
                      name={name}
                      value={shownSetting(settings, name)}
                      onChange={mayChange ? () => setChanging(name) : undefined}
                    />
                  ))}
                </dl>
              </Card>
            ))}
            <SecondOperator />
            {mayChange ? <AlertChannels /> : null}
            <DisplayNames settings={settings} mayChange={mayChange} />
            {changing === null ? null : (
              <ChangeSetting
                name={changing}
                settings={settings}
                onClose={() => setChanging(null)}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Setting({
  name,
  value,
  onChange,
}: {
  readonly name: SettingName;
  readonly value: ReactNode;
  readonly onChange: (() => void) | undefined;
}) {
  const label = fieldLabel(name);
  return (
    <div>
      <dt>
        <strong>{label}</strong>
        <span className="quiet">{WHO[name]}</span>
      </dt>
      <dd>
        <span className="number">{value}</span>
        {onChange === undefined ? null : (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Change: ${label}`}
            onClick={onChange}
          >
            Change
          </Button>
        )}
      </dd>
    </div>
  );
}

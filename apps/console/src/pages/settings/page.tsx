import { Button } from '@mantine/core';
import { READ_SETTINGS } from '@munshi/api';
import { Card, Loaded, Page, useRead } from '@munshi/web-ui';
import { type ReactNode, useState } from 'react';
import { texts as fieldTexts } from '../../changes-texts.ts';
import { may, useSession } from '../../session.tsx';
import { AlertChannels } from './alert-channels.tsx';
import { ChangeSetting } from './change-setting.tsx';
import { DisplayNames } from './display-names.tsx';
import classes from './settings.module.css';
import { type SettingName, shownSetting } from './shown-setting.tsx';
import { texts } from './texts.ts';

const GROUPS = [
  {
    title: texts.groups.windows,
    names: [
      'paymentPageTtlSeconds',
      'memberConfirmationWindowSeconds',
      'payoutWindowSeconds',
      'sendingGraceSeconds',
      'awaitingWithdrawalTimeoutSeconds',
    ],
  },
  { title: texts.groups.alerts, names: ['missedAlertsMax'] },
  {
    title: texts.groups.safety,
    names: [
      'requireSecondOperator',
      'adjustmentApprovalLimit',
      'requireOneTimeCode',
      'stopWithdrawalsOnBreach',
    ],
  },
  { title: texts.groups.keeping, names: ['evidenceDays'] },
] as const satisfies readonly { title: string; names: readonly SettingName[] }[];

/** C14, the settings: with unit, and what changes for whom. */
export default function SettingsPage() {
  const { operator } = useSession();
  const mayChange = may(operator, 'administer');
  const read = useRead(READ_SETTINGS, {}, { watch: ['setting'] });
  const [changing, setChanging] = useState<SettingName | null>(null);
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Loaded read={read} rows={10}>
        {({ data: settings }) => (
          <>
            {GROUPS.map(({ title, names }) => (
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
  const label = fieldTexts.field(name);
  return (
    <div>
      <dt>
        <strong>{label}</strong>
        <span className="quiet">{texts.who[name]}</span>
      </dt>
      <dd>
        <span className="number">{value}</span>
        {onChange === undefined ? null : (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={texts.changeOf(label)}
            onClick={onChange}
          >
            {texts.change}
          </Button>
        )}
      </dd>
    </div>
  );
}

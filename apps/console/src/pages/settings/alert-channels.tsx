import { Button, NumberInput, Textarea, TextInput } from '@mantine/core';
import {
  type AlertChannelView,
  READ_ALERT_CHANNELS,
  REMOVE_ALERT_CHANNEL,
  SET_ALERT_CHANNEL,
  TEST_ALERT_CHANNEL,
} from '@munshi/api';
import { type AsText, exactDurationText } from '@munshi/web';
import {
  Card,
  Effect,
  EffectDialog,
  Effects,
  Facts,
  Loaded,
  Refusal,
  useRead,
  useWrite,
} from '@munshi/web-ui';
import { useState } from 'react';
import classes from './settings.module.css';

const NAMES = { second: 'Second channel', third: 'Third channel' };

type Channel = AsText<AlertChannelView>;
type Position = Channel['position'];

const POSITIONS = ['second', 'third'] as const satisfies readonly Position[];
const AFTER_SECONDS = { second: 20, third: 60 } as const;
const TEMPLATE = '{"text": "{kind}: {amount} {currency}, {member}"}';

/** C14: how members are alerted who have not seen it in their app. */
export function AlertChannels() {
  const read = useRead(READ_ALERT_CHANNELS, {}, { watch: ['setting'] });
  const [changing, setChanging] = useState<Position | null>(null);
  const [removing, setRemoving] = useState<Position | null>(null);
  return (
    <Card title="Alert channels">
      <p className={`quiet ${classes['lead']}`}>
        HTTPS calls to a messenger or an SMS gateway, for members who have not seen an alert in
        their app.
      </p>
      <Loaded read={read} rows={4}>
        {({ data: { channels } }) => {
          const of = (position: Position | null) =>
            channels.find((channel) => channel.position === position);
          return (
            <>
              {POSITIONS.map((position) => (
                <OneChannel
                  key={position}
                  position={position}
                  channel={of(position)}
                  onChange={() => setChanging(position)}
                  onRemove={() => setRemoving(position)}
                />
              ))}
              {changing === null ? null : (
                <ChangeChannel
                  position={changing}
                  before={of(changing)}
                  onClose={() => setChanging(null)}
                />
              )}
              {removing === null ? null : (
                <RemoveChannel position={removing} onClose={() => setRemoving(null)} />
              )}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

interface OneChannelProps {
  readonly position: Position;
  readonly channel: Channel | undefined;
  onChange(): void;
  onRemove(): void;
}

function OneChannel({ position, channel, onChange, onRemove }: OneChannelProps) {
  const test = useWrite(TEST_ALERT_CHANNEL);
  const result = test.shown?.data;
  const name = NAMES[position];
  return (
    <section aria-label={name} className={classes['channel']}>
      <h3>{name}</h3>
      {channel === undefined ? (
        <p className="quiet">Not set up</p>
      ) : (
        <>
          <Facts
            facts={[
              ['Sent after', exactDurationText(channel.afterSeconds)],
              ['Goes to', channel.origin],
              ['Headers', channel.headerNames.join(', ') || 'none'],
            ]}
          />
          <pre className={classes['channelBody']}>{channel.bodyTemplate}</pre>
        </>
      )}
      <div className={classes['channelActions']}>
        <Button variant="default" size="compact-sm" onClick={onChange}>
          {channel === undefined
            ? `Set up: ${name.toLowerCase()}`
            : `Change: ${name.toLowerCase()}`}
        </Button>
        {channel === undefined ? null : (
          <>
            <Button
              variant="default"
              size="compact-sm"
              loading={test.sending}
              onClick={() => void test.send({ body: { position } }).catch(() => {})}
            >
              Test: {name.toLowerCase()}
            </Button>
            <Button variant="default" size="compact-sm" onClick={onRemove}>
              Turn off: {name.toLowerCase()}
            </Button>
          </>
        )}
      </div>
      <p role="status">
        {result === undefined
          ? null
          : result.delivered
            ? `Answered ${result.responseStatus ?? 200} in ${result.durationMs} ms.`
            : `It failed: ${result.error ?? ''}`}
      </p>
      <Refusal error={test.error} />
    </section>
  );
}

interface ChangeChannelProps {
  readonly position: Position;
  readonly before: Channel | undefined;
  onClose(): void;
}

/** Lines of `Name: value`; undefined where a line is none. */
function readHeaders(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([^\s:]+)\s*:\s*(.+?)\s*$/.exec(line));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}

function ChangeChannel({ position, before, onClose }: ChangeChannelProps) {
  const set = useWrite(SET_ALERT_CHANNEL);
  const [url, setUrl] = useState('');
  const [headers, setHeaders] = useState('');
  const [seconds, setSeconds] = useState<string | number>(
    before?.afterSeconds ?? AFTER_SECONDS[position],
  );
  const [bodyTemplate, setTemplate] = useState(before?.bodyTemplate ?? TEMPLATE);
  const read = readHeaders(headers);
  const afterSeconds = Number(seconds);
  const isTimeRight = Number.isInteger(afterSeconds) && afterSeconds >= 1 && afterSeconds <= 3_600;
  const changes = [
    url.trim() !== '',
    headers.trim() !== '',
    afterSeconds !== before?.afterSeconds,
    bodyTemplate !== before?.bodyTemplate,
  ];
  return (
    <EffectDialog
      title={`Change: ${NAMES[position].toLowerCase()}`}
      button="Save"
      ready={
        read !== undefined &&
        isTimeRight &&
        bodyTemplate.trim() !== '' &&
        changes.includes(true) &&
        (before !== undefined || url.trim() !== '')
      }
      onClose={onClose}
      onSend={() =>
        set.send({
          body: {
            position,
            afterSeconds,
            bodyTemplate,
            ...(url.trim() !== '' && { url: url.trim() }),
            ...(headers.trim() !== '' && read !== undefined && { headers: read }),
          },
        })
      }
    >
      <TextInput
        label="Address"
        description={
          before === undefined
            ? 'Begins with https://. It is stored encrypted and never shown again.'
            : `Leave it empty to keep the address at ${before.origin}.`
        }
        type="url"
        maxLength={1000}
        data-autofocus
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Textarea
        label="Headers"
        description={
          before === undefined
            ? 'One per line, such as Authorization: Bearer … Values are stored encrypted and never shown.'
            : 'Leave it empty to keep them. For another host, enter them again.'
        }
        error={read === undefined ? 'Each line is a name, a colon and a value.' : null}
        autosize
        minRows={2}
        value={headers}
        onChange={({ currentTarget }) => setHeaders(currentTarget.value)}
      />
      <Textarea
        label="Body"
        description="Can contain {orderId}, {kind}, {amount}, {currency}, {member}, {username}, {memberId}."
        autosize
        minRows={3}
        maxLength={4000}
        value={bodyTemplate}
        onChange={({ currentTarget }) => setTemplate(currentTarget.value)}
      />
      <NumberInput
        label="Seconds after the alert"
        error={isTimeRight ? null : 'A whole number from 1 to 3600.'}
        min={1}
        max={3_600}
        value={seconds}
        onChange={setSeconds}
      />
      {isTimeRight ? (
        <Effects label={`Change: ${NAMES[position].toLowerCase()}`}>
          <Effect
            what="Sent after"
            before={before === undefined ? 'Not set up' : exactDurationText(before.afterSeconds)}
            after={exactDurationText(afterSeconds)}
          />
        </Effects>
      ) : null}
    </EffectDialog>
  );
}

function RemoveChannel({ position, onClose }: { readonly position: Position; onClose(): void }) {
  const remove = useWrite(REMOVE_ALERT_CHANNEL);
  return (
    <EffectDialog
      title={`Turn off: ${NAMES[position].toLowerCase()}`}
      danger
      onClose={onClose}
      onSend={() => remove.send({ body: { position } })}
    >
      <p>Members who miss an alert are no longer called through it.</p>
    </EffectDialog>
  );
}

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
import { sayIfItWaits } from '../../say-if-it-waits.ts';
import classes from './settings.module.css';
import { texts } from './texts.ts';

type Channel = AsText<AlertChannelView>;
type Position = Channel['position'];

const POSITIONS = ['second', 'third'] as const satisfies readonly Position[];
const AFTER_SECONDS = { second: 20, third: 60 } as const;
const TEMPLATE = '{"text": "{kind}: {amount} {currency}, {member}"}';
const { channels: words } = texts;

/** C14: how members are alerted who have not seen it in their app. */
export function AlertChannels() {
  const read = useRead(READ_ALERT_CHANNELS, {}, { watch: ['setting'] });
  const [changing, setChanging] = useState<Position | null>(null);
  const [removing, setRemoving] = useState<Position | null>(null);
  return (
    <Card title={words.title}>
      <p className={`quiet ${classes['lead']}`}>{words.lead}</p>
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
  const name = words.names[position];
  return (
    <section aria-label={name} className={classes['channel']}>
      <h3>{name}</h3>
      {channel === undefined ? (
        <p className="quiet">{words.off}</p>
      ) : (
        <>
          <Facts
            facts={[
              [words.after, exactDurationText(channel.afterSeconds)],
              [words.goesTo, channel.origin],
              [words.headers, channel.headerNames.join(', ') || words.none],
            ]}
          />
          <pre className={classes['channelBody']}>{channel.bodyTemplate}</pre>
        </>
      )}
      <div className={classes['channelActions']}>
        <Button variant="default" size="compact-sm" onClick={onChange}>
          {channel === undefined ? words.setUp(name) : words.change(name)}
        </Button>
        {channel === undefined ? null : (
          <>
            <Button
              variant="default"
              size="compact-sm"
              loading={test.sending}
              onClick={() => void test.send({ body: { position } }).catch(() => {})}
            >
              {words.test(name)}
            </Button>
            <Button variant="default" size="compact-sm" onClick={onRemove}>
              {words.turnOff(name)}
            </Button>
          </>
        )}
      </div>
      <p role="status">
        {result === undefined
          ? null
          : result.delivered
            ? words.delivered(result.responseStatus ?? 200, result.durationMs)
            : words.failed(result.error ?? '')}
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
      title={words.change(words.names[position])}
      button={words.save}
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
        label={words.url}
        description={before === undefined ? words.urlHint : words.kept(before.origin)}
        type="url"
        maxLength={1000}
        data-autofocus
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Textarea
        label={words.headers}
        description={before === undefined ? words.headersHint : words.headersKept}
        error={read === undefined ? words.badHeaders : null}
        autosize
        minRows={2}
        value={headers}
        onChange={({ currentTarget }) => setHeaders(currentTarget.value)}
      />
      <Textarea
        label={words.body}
        description={words.bodyHint}
        autosize
        minRows={3}
        maxLength={4000}
        value={bodyTemplate}
        onChange={({ currentTarget }) => setTemplate(currentTarget.value)}
      />
      <NumberInput
        label={words.seconds}
        error={isTimeRight ? null : words.badSeconds}
        min={1}
        max={3_600}
        value={seconds}
        onChange={setSeconds}
      />
      {isTimeRight ? (
        <Effects label={words.change(words.names[position])}>
          <Effect
            what={words.after}
            before={before === undefined ? words.off : exactDurationText(before.afterSeconds)}
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
      title={words.turnOff(words.names[position])}
      danger
      onClose={onClose}
      onSend={async () => sayIfItWaits(await remove.send({ body: { position } }))}
    >
      <p>{words.offEffect}</p>
    </EffectDialog>
  );
}

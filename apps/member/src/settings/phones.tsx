import {
  type AnswerOf,
  MEMBER_END_OTHER_SESSIONS,
  MEMBER_END_SESSION,
  MEMBER_LIST_SESSIONS,
} from '@munshi/api';
import { useEffect, useState } from 'preact/hooks';
import { agoText, dayText, isolated } from '../format.ts';
import { texts } from '../language.ts';
import { PhoneIcon } from '../parts/icons.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { refusalText } from '../refusals.ts';
import { api, comebacks } from '../service.ts';
import { write } from '../session.ts';
import { deviceName } from './device-name.ts';
import { words } from './words.ts';

type SignIn = AnswerOf<typeof MEMBER_LIST_SESSIONS>['data'][number];
/** Which are to be signed out: one, or all but this one. */
type Ending = SignIn | 'others';

/** Where the member is signed in; a phone that is lost is signed out from here. */
export function Phones() {
  const [phones, setPhones] = useState<readonly SignIn[] | 'failed' | null>(null);
  const [ending, setEnding] = useState<Ending | null>(null);
  const look = async () => {
    const outcome = await api
      .call(MEMBER_LIST_SESSIONS, { query: { limit: 50 } })
      .catch(() => undefined);
    setPhones(outcome?.ok ? outcome.answer.data : 'failed');
  };
  useEffect(() => void look(), [comebacks.value]);
  const list = Array.isArray(phones) ? (phones as readonly SignIn[]) : [];
  const others = list.filter(({ current }) => !current);
  return (
    <section class="settings">
      <h2>{words.value.phones}</h2>
      {phones === 'failed' ? (
        <p class="note warn">
          <span>{words.value.phonesFailed}</span>
          <button type="button" class="bare" onClick={() => void look()}>
            {texts.value.again}
          </button>
        </p>
      ) : null}
      {phones === null ? <Skeletons cards={1} /> : null}
      {list.length === 0 ? null : (
        <ul class="card rows phones">
          {[...list.filter(({ current }) => current), ...others].map((phone) => (
            <Phone key={phone.sessionId} phone={phone} onEnd={() => setEnding(phone)} />
          ))}
        </ul>
      )}
      {others.length < 2 ? null : (
        <button type="button" class="secondary spaced" onClick={() => setEnding('others')}>
          {words.value.endOthers}
        </button>
      )}
      {ending === null ? null : (
        <EndSheet
          ending={ending}
          count={others.length}
          onClose={() => setEnding(null)}
          onEnded={() => {
            setEnding(null);
            void look();
          }}
        />
      )}
    </section>
  );
}

interface PhoneProps {
  readonly phone: SignIn;
  onEnd(): void;
}

const Phone = ({ phone, onEnd }: PhoneProps) => (
  <li>
    <PhoneIcon />
    <span>
      <b>{nameOf(phone)}</b>
      <span class="dim">
        {phone.current ? words.value.thisPhone : words.value.lastUsed(agoText(phone.lastUsedAt))}
        {' · '}
        {words.value.since(dayText(phone.createdAt))}
      </span>
    </span>
    {phone.current ? null : (
      <button
        type="button"
        class="bare"
        onClick={onEnd}
        aria-label={`${words.value.endPhone}: ${nameOf(phone)}`}
      >
        {words.value.endPhone}
      </button>
    )}
  </li>
);

const nameOf = ({ userAgent }: SignIn): string => {
  const { browser, system } = deviceName(userAgent ?? '');
  if (browser === undefined) return words.value.unknownPhone;
  return system === undefined
    ? isolated(browser)
    : words.value.browserOn(isolated(browser), isolated(system));
};

interface EndSheetProps {
  readonly ending: Ending;
  readonly count: number;
  onEnded(): void;
  onClose(): void;
}

function EndSheet({ ending, count, onEnded, onClose }: EndSheetProps) {
  const [problem, setProblem] = useState<string | undefined>();
  const all = ending === 'others';
  const end = async () => {
    const outcome = all
      ? await write(MEMBER_END_OTHER_SESSIONS, {})
      : await write(MEMBER_END_SESSION, { params: { sessionId: ending.sessionId } });
    if (outcome === undefined) setProblem(texts.value.signIn.unreachable);
    // Somebody has ended it already.
    else if (outcome.ok || outcome.refusal.status === 404) onEnded();
    else setProblem(refusalText(outcome.refusal.code));
  };
  return (
    <Sheet title={all ? words.value.endAllTitle : words.value.endTitle} onClose={onClose}>
      {all ? null : (
        <p>
          <b>{nameOf(ending)}</b>, {words.value.lastUsed(agoText(ending.lastUsedAt))}
        </p>
      )}
      <p>{all ? words.value.endAllLead(count) : words.value.endLead}</p>
      <div role="alert">{problem && <p class="note bad">{problem}</p>}</div>
      <button type="button" class="danger" onClick={() => void end()}>
        {all ? words.value.endOthers : words.value.endPhone}
      </button>
    </Sheet>
  );
}

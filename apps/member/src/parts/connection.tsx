import { timeText } from '../format.ts';
import { texts } from '../language.ts';
import { reached } from '../service.ts';
import { refresh } from '../work/follow.ts';
import { failed, known, live, online } from '../work/known.ts';
import { OfflineIcon, ReloadIcon } from './icons.tsx';

/** Whether what is shown is what is: one line, only where it is not. */
export function Connection() {
  const { work, lookAgain, signIn } = texts.value;
  const at = known.value?.at;
  const { live: isLive, lastSeenAt, tried } = live.value;
  const text = !online.value
    ? work.noNetwork
    : !isLive && tried
      ? work.notLive(
          lastSeenAt === null && at === undefined ? '–' : timeText(lastSeenAt ?? at ?? 0),
        )
      : failed.value && at !== undefined
        ? work.stale(timeText(at))
        : reached.value
          ? undefined
          : signIn.unreachable;
  return (
    <div role="status" class="connection">
      {text === undefined ? null : (
        <p class="note warn">
          <OfflineIcon size={18} /> <span>{text}</span>
          <button type="button" class="bare" onClick={() => void refresh()}>
            <ReloadIcon size={18} />
            <span class="unseen">{lookAgain}</span>
          </button>
        </p>
      )}
    </div>
  );
}

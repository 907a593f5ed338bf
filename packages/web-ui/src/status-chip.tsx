import Check from 'lucide-react/icons/check';
import Loader from 'lucide-react/icons/circle-dot';
import Clock from 'lucide-react/icons/clock';
import Flag from 'lucide-react/icons/flag';
import Hand from 'lucide-react/icons/hand';
import Minus from 'lucide-react/icons/minus';
import X from 'lucide-react/icons/x';
import classes from './status-chip.module.css';

/**
 * What a chip says beside its word: waiting (grey, clock), in hand (blue), needs somebody here
 * (amber, hand), manual review (violet, flag), done (green, tick), failed (red, cross), over (grey,
 * dash).
 */
export type Tone = 'waiting' | 'busy' | 'needed' | 'review' | 'done' | 'failed' | 'over';

const ICONS = {
  waiting: Clock,
  busy: Loader,
  needed: Hand,
  review: Flag,
  done: Check,
  failed: X,
  over: Minus,
} as const satisfies Record<Tone, unknown>;

export interface ChipProps {
  readonly tone: Tone;
  readonly label: string;
  /** The smaller word after it, such as the stage. */
  readonly detail?: string;
}

/** Colour, icon and word; never colour alone. */
export function Chip({ tone, label, detail }: ChipProps) {
  const Icon = ICONS[tone];
  return (
    <span className={classes['chip']} data-tone={tone}>
      <Icon size={12} strokeWidth={2.5} aria-hidden />
      {label}
      {detail === undefined ? null : <span className={classes['detail']}>{detail}</span>}
    </span>
  );
}

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../language.ts';
import { goBack, Link, path } from '../router.tsx';
import { toDo } from '../work/known.ts';
import { Connection } from './connection.tsx';
import { BackIcon, HistoryIcon, PersonIcon, WorkIcon } from './icons.tsx';

interface ScreenProps {
  readonly title: string;
  /** In the place of the title alone. */
  readonly head?: ComponentChildren;
  readonly headClass?: string;
  /** At the bottom edge, under the thumb: the one thing to do here. */
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen: dark head, one column, what to do at the bottom edge, the tabs below it. */
export function Screen({ title, head, headClass = '', action, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${texts.value.product}`;
  }, [title]);
  // With a screen reader or a keyboard one begins at the top of a new screen.
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true });
    arrived = true;
  }, []);
  return (
    <>
      <header class={`head ${headClass}`}>
        <h1 ref={heading} tabIndex={-1} class={head === undefined ? '' : 'unseen'}>
          {title}
        </h1>
        {head}
      </header>
      <main class="column">
        <Connection />
        {children}
      </main>
      <footer class="foot">
        {action === undefined ? null : <div class="action">{action}</div>}
        <Tabs />
      </footer>
    </>
  );
}
let arrived = false;

function Tabs() {
  const { tabs } = texts.value;
  const here = path.value;
  const count = toDo.value;
  return (
    <nav class="tabs" aria-label={tabs.label}>
      <Link to="/" current={here === '/' || here.startsWith('/orders/')}>
        <WorkIcon />
        <span>
          {tabs.work}
          {count > 0 ? <b class="count">{count}</b> : null}
        </span>
      </Link>
      <Link to="/history" current={here === '/history'}>
        <HistoryIcon />
        <span>{tabs.history}</span>
      </Link>
      <Link to="/account" current={here.startsWith('/account')}>
        <PersonIcon />
        <span>{tabs.account}</span>
      </Link>
    </nav>
  );
}

/** Back to the screen before, or to the one above. */
export const BackButton = ({ to, label }: { readonly to: string; readonly label: string }) => (
  <button type="button" class="bare back" aria-label={label} onClick={() => goBack(to)}>
    <BackIcon class="directed" />
    <span>{label}</span>
  </button>
);

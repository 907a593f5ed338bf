import { reloadWhenServed } from '@munshi/web/reload';
import { signal } from '@preact/signals';
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { texts, withTexts } from '../language.ts';
import { Screen } from './frame.tsx';
import { Skeletons } from './skeletons.tsx';

interface LazyScreen {
  title(): string;
  load(): Promise<FunctionComponent>;
  /** What stands around it until it is there; where nobody is signed in, no tabs. */
  readonly frame?: FunctionComponent<FrameProps>;
}
interface FrameProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/**
 * A screen whose code and texts are loaded when it is opened: few open it, and not often. Where they
 * have not come, browsers do not ask for them again: the app is loaded again when it can be.
 */
export function lazyScreen({ title, load, frame: Frame = Screen }: LazyScreen): FunctionComponent {
  const loaded = signal<FunctionComponent | 'failed' | null>(null);
  const look = async () => {
    loaded.value = null;
    loaded.value = await withTexts(load()).catch(() => 'failed' as const);
  };
  return function Lazy() {
    useEffect(() => {
      if (typeof loaded.peek() !== 'function') void look();
    }, []);
    const Loaded = loaded.value;
    useEffect(
      () => (Loaded === 'failed' ? reloadWhenServed({ onBroken() {} }) : undefined),
      [Loaded],
    );
    if (typeof Loaded === 'function') return <Loaded />;
    const { signIn, again } = texts.value;
    return (
      <Frame title={title()}>
        {Loaded === null ? (
          <Skeletons cards={2} />
        ) : (
          <div class="nothing" role="alert">
            <h2>{signIn.unreachable}</h2>
            <button type="button" class="secondary" onClick={() => reloadWhenServed({})}>
              {again}
            </button>
          </div>
        )}
      </Frame>
    );
  };
}

/** A part of a screen, the same way: nothing shows until it is there. */
export function lazyPart<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  const loaded = signal<FunctionComponent<Props> | null>(null);
  return function Lazy(props) {
    useEffect(() => {
      // Without it the screen is whole; the next opening tries again.
      if (loaded.peek() === null)
        withTexts(load()).then(
          (part) => {
            loaded.value = part;
          },
          () => {},
        );
    }, []);
    const Loaded = loaded.value;
    return Loaded === null ? null : <Loaded {...props} />;
  };
}

import { type ReactNode, useEffect, useRef } from 'react';
import classes from './page.module.css';
import { Skeleton } from './states.tsx';

export interface PageProps {
  readonly title: string;
  /** Beside the title: chips. */
  readonly beside?: ReactNode;
  /** Under the title: the reference, what it is about. */
  readonly lead?: ReactNode;
  /** One primary button at most. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen: sets the document's title, and its `h1` takes the focus when it is opened. */
export function Page({ title, beside, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Munshi`;
  }, [title]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={classes['page']}>
      <Head beside={beside} lead={lead} actions={actions}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </Head>
      {children}
    </div>
  );
}

/** While a screen's code is loaded: rows begin where they will stand, below the place of its head. */
export const PageOnItsWay = () => (
  <div className={classes['page']}>
    <div className={classes['coming']} />
    <Skeleton rows={8} />
  </div>
);

interface HeadProps extends Pick<PageProps, 'beside' | 'lead' | 'actions'> {
  /** The heading itself: an `h1` or an `h2`. */
  readonly children: ReactNode;
}

/** A heading with what belongs to it: of a screen, or of the one thing that is open in it. */
export function Head({ beside, lead, actions, children }: HeadProps) {
  return (
    <header className={classes['head']}>
      <div>
        <div className={classes['title']}>
          {children}
          {beside}
        </div>
        {lead === undefined ? null : <div className="quiet">{lead}</div>}
      </div>
      {actions === undefined ? null : <div className={classes['actions']}>{actions}</div>}
    </header>
  );
}

/** A white card with a heading. */
export function Card({
  title,
  actions,
  children,
}: {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section
      data-card
      className={classes['card']}
      {...(title !== undefined && { 'aria-label': title })}
    >
      {title === undefined ? null : (
        <div className={classes['card-head']}>
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** One that is null is left out. */
export type Fact = readonly [name: string, value: ReactNode] | null;

/** Names and values, one under the other. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes['facts']}>
      {facts.map((fact) =>
        fact === null ? null : (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

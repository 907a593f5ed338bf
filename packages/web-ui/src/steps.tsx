import Circle from 'lucide-react/icons/circle';
import CircleCheck from 'lucide-react/icons/circle-check';
import type { ReactNode } from 'react';
import { Card } from './page.tsx';
import classes from './steps.module.css';

/** One of what is to be done. */
export interface Step {
  readonly step: string;
  readonly done: boolean;
  readonly what: string;
  /** How, while it is to be done. */
  readonly hint: ReactNode;
  /** Where. */
  readonly action: ReactNode;
}

/** What is to be done, in this order; the service says what is. */
export function Steps({
  title,
  steps,
  actions,
}: {
  readonly title: string;
  readonly steps: readonly Step[];
  readonly actions?: ReactNode;
}) {
  const done = steps.filter((one) => one.done).length;
  return (
    <Card
      title={title}
      actions={
        <div className={classes['beside']}>
          <span className="quiet">
            {done} of {steps.length} done
          </span>
          {actions}
        </div>
      }
    >
      <ol className={classes['steps']}>
        {steps.map(({ step, what, hint, action, done: isDone }) => {
          const Mark = isDone ? CircleCheck : Circle;
          return (
            <li key={step} data-done={isDone}>
              <Mark size={20} aria-label={isDone ? 'Done' : 'To do'} role="img" />
              <div>
                <p>{what}</p>
                {isDone ? null : <div className="quiet">{hint}</div>}
              </div>
              {isDone ? null : action}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

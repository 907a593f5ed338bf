import { Button } from '@mantine/core';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, Said } from './api.tsx';
import { Copy } from './copy.tsx';
import classes from './states.module.css';

/** What comes at once is not announced by a flicker. */
const SOON_MS = 150;

/** The shape of what is on its way, after 150 ms. */
export function Skeleton({ rows = 3 }: { readonly rows?: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={classes['skeleton']} role="status" aria-label="Loading">
      {late
        ? Array.from({ length: rows }, (_, at) => (
            <span key={`row ${at + 1}`} style={{ width: `${92 - ((at * 17) % 40)}%` }} />
          ))
        : null}
    </div>
  );
}

/** Says why there is nothing, and what to do. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <div className={classes['empty']}>{children}</div>;
}

/** What a refusal says of each field of the request: `name`, and its sentences. */
const fieldsOf = (
  error: Error | null,
): (readonly [field: string, messages: readonly string[]])[] =>
  error instanceof ApiError
    ? Object.entries(error.refusal.errors).map(([field, said]) => [
        field.replace(/^\$\.?/, ''),
        said,
      ])
    : [];

/** What is wrong with one field of the request, to be shown at it; null: nothing. */
export function fieldError(error: Error | null, name: string): string | null {
  const said = fieldsOf(error).flatMap(([field, messages]) => (field === name ? messages : []));
  const text = said.join(' ');
  return text === '' ? null : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Whether all that a refusal says is shown at these fields. */
export const isBeside = (error: Error | null, names: readonly string[]): boolean => {
  const fields = fieldsOf(error);
  return fields.length > 0 && fields.every(([field]) => names.includes(field));
};

/** What happened, for people. */
export const errorText = (error: Error): string => {
  if (error instanceof ApiError) {
    const fields = fieldsOf(error).flatMap(([field, messages]) =>
      messages.map((message) => `${field} ${message}`.trim()),
    );
    return fields.length > 0 ? fields.join(' ') : error.message;
  }
  if (error instanceof Said) return error.message;
  return error instanceof TypeError || error.name === 'TimeoutError'
    ? 'The service cannot be reached. Nothing was lost. Check the network, then try again.'
    : 'Something unexpected happened. Try again in a moment.';
};

const hasEnded = (error: Error) =>
  error instanceof ApiError && error.refusal.code === 'not-signed-in';

interface FailedProps {
  readonly error: Error;
  readonly title?: string;
  /** What happens by itself. */
  readonly hint?: string;
  onRetry?(): void;
}

/** What happened, what to do, and the trace id to copy. */
export function Failed({ error, title = 'This could not be loaded', hint, onRetry }: FailedProps) {
  return (
    <div className={classes['failed']} role="alert">
      <CircleAlert size={20} aria-hidden />
      <div>
        <strong>{title}</strong>
        <p>{errorText(error)}</p>
        {hint === undefined ? null : <p>{hint}</p>}
        <TraceId error={error} />
        {onRetry === undefined ? null : (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

/**
 * The sentence of a refusal, beside the action that was refused. That the session has ended is said
 * by the sign-in over the page, after which the sentence would be wrong.
 */
export function Refusal({ error }: { readonly error: Error | null }) {
  if (error === null || hasEnded(error)) return null;
  return (
    <div className={classes['failed']} role="alert">
      <CircleAlert size={20} aria-hidden />
      <div>
        <p>{errorText(error)}</p>
        <TraceId error={error} />
      </div>
    </div>
  );
}

function TraceId({ error }: { readonly error: Error }) {
  const traceId = error instanceof ApiError ? error.refusal.traceId : undefined;
  if (traceId === undefined) return null;
  return (
    <p className="quiet">
      Trace id <Copy value={traceId} what="the trace id" mono />
    </p>
  );
}

/** A read as a screen shows it: the skeleton, what went wrong, or its answer. */
export function Loaded<T>({
  read,
  rows,
  children,
}: {
  readonly read: {
    readonly data: T | undefined;
    readonly error: Error | null;
    refetch(): unknown;
  };
  readonly rows?: number;
  children(data: T): ReactNode;
}) {
  if (read.data !== undefined) return children(read.data);
  if (read.error !== null) return <Failed error={read.error} onRetry={() => read.refetch()} />;
  return <Skeleton {...(rows !== undefined && { rows })} />;
}

import type { FastifyBaseLogger } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type Options = Parameters<FastifyBaseLogger['child']>[1];

/**
 * A request's log, which puts its traceId on every line. The child logger behind it is made with
 * the first line: most requests write none, and making one with redaction costs as much as all of
 * Fastify's other work on a request.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  readonly #options: Options;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: Options) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings, this.#options);
    return this.#made;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...args: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...args);
  }
  fatal(...args: unknown[]): void {
    this.#log.fatal(...(args as [object]));
  }
  error(...args: unknown[]): void {
    this.#log.error(...(args as [object]));
  }
  warn(...args: unknown[]): void {
    this.#log.warn(...(args as [object]));
  }
  info(...args: unknown[]): void {
    this.#log.info(...(args as [object]));
  }
  debug(...args: unknown[]): void {
    this.#log.debug(...(args as [object]));
  }
  trace(...args: unknown[]): void {
    this.#log.trace(...(args as [object]));
  }
  silent(): void {}
}

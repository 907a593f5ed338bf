import type { Code } from '@munshi/api';
import type { Decision, Objection, RefusalCode } from '@munshi/core';
import { ConflictError } from './database/errors.ts';

/** Why a command, a service or a face says no. */
export type AnyCode = RefusalCode | Code;

/** A rule that says no, thrown so that nothing of its transaction stays. */
export class Refused extends Error {
  readonly refusal: { readonly code: AnyCode; readonly message: string };
  constructor(code: AnyCode, message: string) {
    super(message);
    this.refusal = { code, message };
  }
}

/** A caller who asks for too much waits: the answer says how long. */
export class TryLater extends Refused {
  readonly seconds: number;
  constructor(why: string, seconds: number) {
    const unit = seconds === 1 ? 'second' : 'seconds';
    super('too-many-tries', `${why} Try again in ${seconds} ${unit}.`);
    this.seconds = seconds;
  }
}

/** A caller that guesses passwords waits (security.md#sign-ins-and-sessions). */
export class TooManyTries extends TryLater {
  constructor(seconds: number) {
    super('Too many tries to sign in.', seconds);
  }
}

/** A caller's places for pictures are taken by other pictures of theirs. */
export class TooManyWaiting extends TryLater {
  constructor() {
    super('Pictures that you sent before this one are still being drawn.', 2);
  }
}

/** What is wrong with a request, by field: `$.name` for a field of the body. */
export class FieldErrors extends Error {
  readonly errors: Readonly<Record<string, readonly string[]>>;
  constructor(errors: Readonly<Record<string, readonly string[]>>) {
    super('One or more fields are not valid.');
    this.errors = errors;
  }
}

/** One field of the body that is wrong in itself. */
export const fieldError = (field: string, message: string): FieldErrors =>
  new FieldErrors({ [`$.${field}`]: [message] });

/** The thing itself; throws `not-found` where there is none. */
export function found<T>(thing: T | undefined, name: string): T {
  if (thing === undefined) throw new Refused('not-found', `${name} not found.`);
  return thing;
}

/** The result of a command; throws its refusal. */
export function accepted<Result>(decision: Decision<Result>): Result {
  if (!decision.ok) throw new Refused(decision.refusal.code, decision.refusal.message);
  return decision.result;
}

/** Throws what a rule has against it, if anything. */
export function refuseOn(objection: Objection): void {
  if (objection !== undefined) accepted(objection);
}

/** For `catch`: turns a value that must be unique and is not into a refusal. */
export function refuseTaken(message: string) {
  return (error: Error): never => {
    const isTaken = error instanceof ConflictError && error.code === '23505';
    throw isTaken ? new Refused('already-exists', message) : error;
  };
}

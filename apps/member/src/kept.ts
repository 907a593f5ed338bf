import { connect } from './outbox/indexed-db.ts';

/** The phone's storage. A browser that has none, in private windows, fails at each use. */
export const database = connect();

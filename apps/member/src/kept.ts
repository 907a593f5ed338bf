import { openDatabase } from './outbox/indexed-db.ts';

/** The phone's storage, opened once. A browser that has none, in private windows, fails here. */
export const database: Promise<IDBDatabase> = openDatabase();

/**
 * The Postgres server of `npm start`: on a Unix socket, in its own directory, for as long as this
 * process lives.
 */
export { defaultDataDir } from './account.ts';
export { attachEmbeddedPostgres, type ConnectionConfig } from './cluster.ts';
export { DataDirInUseError } from './owner-lock.ts';
export { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';

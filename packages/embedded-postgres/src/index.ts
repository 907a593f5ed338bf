/**
 * The Postgres server that `npm start` brings along: a real one, on a Unix socket, in a directory
 * of ours, for as long as this process lives.
 */
export { defaultDataDir } from './account.ts';
export { attachEmbeddedPostgres, type ConnectionConfig } from './cluster.ts';
export { DataDirInUseError } from './owner-lock.ts';
export { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';

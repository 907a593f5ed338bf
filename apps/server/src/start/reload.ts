import type { Logger } from 'pino';
import { gatherSettings } from '../platform/config/gather.ts';
import { SETTINGS } from '../platform/config/setting.ts';
import { ConfigError, readConfig } from '../platform/config.ts';

/**
 * In production SIGHUP reads the files of settings again (operate/run.md#settings): LOG_LEVEL is
 * used from then on, and of every other setting that has changed the log says that it waits for a
 * restart. Settings that are wrong change nothing.
 */
export function reloadOnHangUp(log: Logger): void {
  const atStart = gatherSettings(process.env);
  process.on('SIGHUP', () => {
    try {
      const now = gatherSettings(process.env);
      log.level = readConfig(process.env, process.argv.slice(2)).logLevel;
      const changed = SETTINGS.filter(
        (name) => name !== 'LOG_LEVEL' && (now[name] || '') !== (atStart[name] || ''),
      );
      log.info({ logLevel: log.level, afterRestart: changed }, 'the settings were read again');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      log.error({ reason: error.message }, 'the settings are wrong: nothing was changed');
    }
  });
}

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError, type Environment, SETTINGS } from './setting.ts';

/** Names the file that settings may stand in, besides the environment. */
const SETTINGS_FILE = 'SETTINGS_FILE';
/** Behind the name of a setting: the file that holds its value. */
const FROM_FILE = '_FILE';
/** What `parseEnv` takes for a setting; anything else it leaves out without a word. */
const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=/;
const NOTHING = /^\s*(?:#.*)?$/;

/**
 * The environment with every setting in its place (operate/run.md#settings): those of the file that
 * SETTINGS_FILE names, and for each `NAME_FILE` the content of that file as `NAME`. Throws
 * ConfigError when a file cannot be read, names a setting that there is not, or when one setting
 * has two values.
 */
export function gatherSettings(env: Environment): Environment {
  const { [SETTINGS_FILE]: file, ...own } = env;
  const given = file ? together(own, readSettingsFile(file), file) : own;
  const gathered: Record<string, string | undefined> = { ...given };
  for (const name of SETTINGS) {
    const source = given[name + FROM_FILE];
    delete gathered[name + FROM_FILE];
    if (!source) continue;
    if (given[name])
      throw new ConfigError(`${name} and ${name}${FROM_FILE} are both set: leave one of them out`);
    gathered[name] = readValue(name, source);
  }
  return gathered;
}

/** A setting in both places must be equal in both: neither has precedence. */
function together(env: Environment, inFile: Environment, file: string): Environment {
  const twice = Object.keys(inFile).find(
    (name) => env[name] && inFile[name] && env[name] !== inFile[name],
  );
  if (twice !== undefined)
    throw new ConfigError(
      `${twice} is set to one value in the environment and to another in "${file}": leave one of them out`,
    );
  const set = Object.entries(inFile).filter(([, value]) => value !== '');
  return { ...env, ...Object.fromEntries(set) };
}

function readSettingsFile(file: string): Environment {
  const text = readText(SETTINGS_FILE, file);
  const known = new Set<string>(SETTINGS.flatMap((name) => [name, name + FROM_FILE]));
  const seen = new Set<string>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (NOTHING.test(line)) continue;
    const name = LINE.exec(line)?.[1];
    const where = `"${file}", line ${at + 1}`;
    // Not the line itself, which may be a part of a secret.
    if (name === undefined) throw new ConfigError(`${where} is not of the form NAME=value`);
    if (!known.has(name))
      throw new ConfigError(`${where}: there is no setting ${name} that can stand in a file`);
    if (seen.has(name)) throw new ConfigError(`${where}: ${name} is set a second time`);
    seen.add(name);
  }
  return parseEnv(text) as Environment;
}

function readValue(name: string, file: string): string {
  const value = readText(name + FROM_FILE, file).replace(/\r?\n$/, '');
  if (value === '') throw new ConfigError(`${name}${FROM_FILE} names an empty file: "${file}"`);
  if (/[\r\n\0]/.test(value))
    throw new ConfigError(`${name}${FROM_FILE} names a file of more than one line: "${file}"`);
  return value;
}

function readText(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${setting} names a file that cannot be read (${code}): "${file}"`);
  }
}

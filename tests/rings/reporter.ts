import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestSpecification,
} from 'vitest/node';

/** What came of a run of vitest so far; written after every file to the file `TEST_RESULTS`. */
export interface Results {
  readonly passed: number;
  readonly files: { readonly ended: number; readonly of: number };
  readonly failures: readonly Failure[];
  /** Tests that could not run here, with the reason they gave. */
  readonly notRun: readonly string[];
}

export interface Failure {
  /** The test, and in further lines what it says. */
  readonly what: string;
  /** The command that runs it alone. */
  readonly again: string;
}

/**
 * The usual report, with the number of each file, and at the end what failed and the commands that
 * run that alone.
 */
export class RingReporter extends DefaultReporter {
  #files = 0;
  #ended = 0;
  #passed = 0;
  readonly #failures: Failure[] = [];
  readonly #notRun: string[] = [];

  override onTestRunStart(specifications: ReadonlyArray<TestSpecification>): void {
    this.#files = specifications.length;
    super.onTestRunStart(specifications);
  }

  override onTestModuleEnd(module: TestModule): void {
    this.#ended += 1;
    this.#count(module);
    super.onTestModuleEnd(module);
    this.#write();
  }

  override onTestRunEnd(...[modules, errors, reason]: Parameters<DefaultReporter['onTestRunEnd']>) {
    super.onTestRunEnd(modules, errors, reason);
    for (const { message } of errors)
      this.#failures.push({ what: `outside of the tests: ${message}`, again: 'npm test' });
    this.#write();
    if (RESULTS === undefined) this.log(failureLines(this.#failures));
  }

  protected override printTestModule(module: TestModule): void {
    const { log } = this;
    const at = `${this.#ended}`.padStart(`${this.#files}`.length);
    let first = true;
    this.log = (...lines) => {
      if (first) lines[0] = `${at}/${this.#files}${lines[0]}`;
      first = false;
      log.call(this, ...lines);
    };
    super.printTestModule(module);
    this.log = log;
  }

  #count(module: TestModule): void {
    const { relativeModuleId: file } = module;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') this.#passed += 1;
      else if (state === 'skipped') this.#skip(file, test);
      else this.#failures.push(failureOf(file, test));
    }
    // A file that does not load, or a hook that fails.
    const errors = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    for (const { message } of [...module.errors(), ...errors])
      this.#failures.push({ what: `${file}: ${firstLine(message)}`, again: command(file) });
  }

  #skip(file: string, test: TestCase): void {
    const { note } = test.result() as { readonly note?: string };
    // Without a note it was not asked for: `-t` names others.
    if (note !== undefined) this.#notRun.push(`${file} > ${test.fullName}: ${note}`);
  }

  #write(): void {
    if (RESULTS === undefined) return;
    const results: Results = {
      passed: this.#passed,
      files: { ended: this.#ended, of: this.#files },
      failures: this.#failures,
      notRun: this.#notRun,
    };
    writeFileSync(RESULTS, JSON.stringify(results));
  }
}

const RESULTS = process.env['TEST_RESULTS'];

/** What failed, and how to run it alone; empty when nothing did. */
export const failureLines = (failures: readonly Failure[]): string =>
  failures.length === 0
    ? ''
    : ['', 'What failed, and how to run it alone:']
        .concat(failures.map(({ what, again }) => `  ${what}\n    ${again}`))
        .join('\n');

/** Of what a test says, and of each of its lines: the end of a long log is all that some keep. */
const [SAID_LINES, SAID_LENGTH] = [6, 300];

/** The first line of each message, and what was received where something else was expected. */
function saidBy(errors: readonly { readonly message: string; readonly diff?: string }[]): string {
  const lines = errors.flatMap(({ message, diff = '' }) => [
    firstLine(message),
    ...stripVTControlCharacters(diff)
      .split('\n')
      .filter((line) => /^[+-] +\S/.test(line) && !/^[+-] (Expected|Received)$/.test(line)),
  ]);
  return lines
    .slice(0, SAID_LINES)
    .map((line) => `\n      ${line.slice(0, SAID_LENGTH)}`)
    .join('');
}

/** A random test says by itself how a failure is repeated, in a line that begins with `again:`. */
function failureOf(file: string, test: TestCase): Failure {
  const errors = test.result().errors ?? [];
  const messages = errors.map(({ message }) => message).join('\n');
  const own = /^\s*again: (.+)$/m.exec(messages)?.[1];
  const name = test.fullName.replaceAll(' > ', ' ');
  return { what: `${file} > ${test.fullName}${saidBy(errors)}`, again: own ?? command(file, name) };
}

function command(file: string, name?: string): string {
  const given = ['TEST_SEED', 'TEST_SIZE'].flatMap((setting) => {
    const value = process.env[setting];
    return value === undefined ? [] : [`${setting}=${value} `];
  });
  const only = name === undefined ? '' : ` -t ${quoted(`${escaped(name)}$`)}`;
  return `${given.join('')}npm run vitest -- run ${file}${only}`;
}

// `RegExp.escape` writes spaces and first letters as codes, which nobody can read.
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const firstLine = (text: string) => text.split('\n')[0] ?? '';

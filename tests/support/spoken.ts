import { type ChildProcess, spawn } from 'node:child_process';

/** A process and its output so far, standard output and standard error together. */
export interface Spoken {
  readonly child: ChildProcess;
  /** Its exit code, once its output is complete; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  said(): string;
  /** Resolves when its output matches; rejects if it ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
}

/** The environment of somebody who has set nothing; a start from the run's cache takes half the time. */
export const bareEnvironment = (): Readonly<Record<string, string>> => ({
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
});

interface Place {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a command and collects its output. */
export function listenTo(command: string, args: readonly string[], { cwd, env }: Place): Spoken {
  const child = spawn(command, args, { cwd, env });
  let output = '';
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      child.emit('said');
    });
  }
  return {
    child,
    exited,
    said: () => output,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output);
          if (match !== null) resolve(match);
        };
        child.on('said', look);
        exited.then(
          (code) => reject(new Error(`it ended with ${code} and never said ${pattern}: ${output}`)),
          reject,
        );
        look();
      }),
  };
}

import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Outcome {
  readonly ok: boolean;
  /** Standard output and standard error. */
  readonly text: string;
}

/** Runs a program without a shell and without input, and waits for its exit. Never throws. */
export function command(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(file, args, options, (error, stdout, stderr) =>
      resolve({ ok: error === null, text: stdout + stderr || (error?.message ?? '') }),
    );
    child.stdin?.end();
  });
}

/** The last lines of a program's output, which usually give the reason of a failure. */
export const lastLines = (text: string, count = 3): string => text.trim().split('\n').slice(-count).join('\n  ');

/** The absolute path of a program on PATH. */
export function onPath(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, name);
    if (folder !== '' && isExecutable(file)) return file;
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

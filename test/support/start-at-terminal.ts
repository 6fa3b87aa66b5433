import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject, onTestFinished } from 'vitest';
import { endWithTests } from './end-with-tests.ts';
import { testFolder } from './folders.ts';

/** A service that a person has started at a terminal. */
export interface TerminalStart {
  /** The link to the console that it has printed. undefined: none. */
  readonly link: string | undefined;
  /** What it has printed. */
  readonly printed: string;
  /** Ctrl-C. Resolves when the service has stopped. */
  stop(): Promise<void>;
}

/** Starts a service at a terminal, by script(1), by default with new folders. Resolves when it runs jobs. */
export async function startAtTerminal(env: Readonly<Record<string, string>> = {}): Promise<TerminalStart> {
  const folder = await testFolder('terminal');
  const { entry } = inject('program');
  const folders = { TELECINE_DATA_DIR: join(folder, 'data'), TELECINE_MEDIA_ROOT: folder, TELECINE_PORT: '0' };
  const child = spawn('script', ['-qfec', `exec ${process.execPath} ${entry} serve`, '/dev/null'], {
    env: { ...process.env, ...folders, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  endWithTests(child);
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    // Ctrl-C.
    if (child.exitCode === null) child.stdin.write('\x03');
    await exited;
  };
  // The service stops before its folder is removed.
  onTestFinished(stop);
  let printed = '';
  for await (const line of createInterface(child.stdout)) {
    printed += `${line}\n`;
    // The link is printed before this line, which waits in a buffer.
    if (line.includes('"msg":"started"')) return { link: /^http\S+$/m.exec(printed)?.[0], printed, stop };
  }
  throw new Error(`The service has ended:\n${printed}`);
}

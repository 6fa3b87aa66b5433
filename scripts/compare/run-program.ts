import { spawn } from 'node:child_process';

export interface ProgramRun {
  /** null: killed, also after the time limit. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const LIMIT_SECONDS = 180;

/** Runs a program to its end, whatever its exit code is. Kills it after three minutes. */
export function runProgram(file: string, args: readonly string[]): Promise<ProgramRun> {
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_SECONDS * 1000,
    killSignal: 'SIGKILL',
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() }));
  });
}

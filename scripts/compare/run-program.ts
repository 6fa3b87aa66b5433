import { spawn } from 'node:child_process';

export interface ProgramRun {
  /** null: killed, also after the time limit. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly seconds: number;
}

/** Runs a program to its end, whatever its exit code is. Kills it after `limitSeconds`. */
export function runProgram(file: string, args: readonly string[], limitSeconds: number): Promise<ProgramRun> {
  const from = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitSeconds * 1000);
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      const seconds = (performance.now() - from) / 1000;
      resolve({ code, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString(), seconds });
    });
  });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Runs an argv in a folder with the layout of a scratch folder: `in/0.mp4` is `input`, `out/` is empty. */
async function one(argv: readonly string[], input: string, folder: string): Promise<void> {
  const [program = '', ...args] = argv;
  for (const part of ['in', 'out']) mkdirSync(join(folder, part), { recursive: true });
  symlinkSync(input, join(folder, 'in/0.mp4'));
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}.`);
}

/** The seconds that `count` runs of a command take, `parallel` at a time, without the service. */
export async function bareConversions(options: {
  readonly argv: readonly string[];
  readonly input: string;
  readonly count: number;
  readonly parallel: number;
  /** A new folder, which is removed afterwards. */
  readonly folder: string;
}): Promise<number> {
  const { argv, input, count, parallel, folder } = options;
  let next = 0;
  const start = performance.now();
  const worker = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) await one(argv, input, join(folder, String(i)));
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  const seconds = (performance.now() - start) / 1000;
  rmSync(folder, { recursive: true });
  return seconds;
}

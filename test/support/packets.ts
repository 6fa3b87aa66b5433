import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tools } from './tools.ts';

const run = promisify(execFile);

/** Bits per second of each stream of `file`, from its packets: headers may only repeat the requested rate. */
export async function bitRates(file: string): Promise<readonly number[]> {
  const entries = 'packet=stream_index,size:format=duration';
  const args = ['-v', 'error', '-show_entries', entries, '-of', 'json', `file:${file}`];
  const { stdout } = await run(tools().ffprobePath, args, { maxBuffer: 64 * 1024 * 1024 });
  const { packets, format } = JSON.parse(stdout) as {
    readonly packets: readonly { readonly stream_index: number; readonly size: string }[];
    readonly format: { readonly duration: string };
  };
  const sums: number[] = [];
  for (const { stream_index: index, size } of packets) sums[index] = (sums[index] ?? 0) + Number(size);
  return sums.map((bytes) => (bytes * 8) / Number(format.duration));
}

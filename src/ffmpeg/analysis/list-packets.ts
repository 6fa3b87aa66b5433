import type { Failure } from '../../domain/failure.ts';
import { PacketCounter } from './packet-counter.ts';
import { type FfprobeRun, runFfprobe } from './run-ffprobe.ts';

/** Lists the packets of the input. `seconds`: how long that may take. */
export async function listPackets(
  c: FfprobeRun,
  argv: readonly string[],
  seconds: number,
): Promise<PacketCounter | Failure> {
  const counter = new PacketCounter();
  return (await runFfprobe(c, argv, seconds, { onLine: (line) => counter.feed(line) })) ?? counter;
}

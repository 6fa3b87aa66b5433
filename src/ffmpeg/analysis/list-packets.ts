import { availableParallelism } from 'node:os';
import type { Failure } from '../../domain/failure.ts';
import { type LogLine, parseLogLine } from '../log/log-line.ts';
import { probeFailure } from '../probe/probe-failure.ts';
import { launch } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import type { ConversionRun } from '../run/run.ts';
import { CONVERSION_CANCELLED, conversionTimedOut } from '../run/stop.ts';
import { confineCommand } from '../sandbox/confine.ts';
import { kernelLimits } from '../sandbox/limits.ts';
import { withPinnedFiles } from '../sandbox/pinned-files.ts';
import { PacketCounter } from './packet-counter.ts';

/** timeout(1) waits this long after the timeout, because normally the service itself ends a slow run. */
const LAST_RESORT_SECONDS = 5;
const MAX_LINES = 100;

/** Lists the packets of the input with ffprobe, in the sandbox of a conversion. */
export async function listPackets(
  c: ConversionRun & { readonly ffprobePath: string },
  argv: readonly string[],
  seconds: number,
): Promise<PacketCounter | Failure> {
  const counter = new PacketCounter();
  const lines: LogLine[] = [];
  const out = new LineSplitter((line) => counter.feed(line));
  const err = new LineSplitter((line) => {
    if (lines.length < MAX_LINES) lines.push(parseLogLine(line));
  });
  const stop = AbortSignal.any([c.signal, AbortSignal.timeout(Math.ceil(seconds * 1000))]);
  const running = await withPinnedFiles(c.dir, c.mounts, c.sandbox, (pinned) =>
    launch(
      confineCommand({
        ...pinned,
        sandbox: c.sandbox,
        program: c.ffprobePath,
        argv,
        limits: kernelLimits(c.policy, c.timeoutSeconds, availableParallelism()),
        lastResortSeconds: Math.ceil(seconds) + LAST_RESORT_SECONDS,
      }),
      { out, err },
    ),
  );
  const kill = (): void => void running.kill();
  stop.addEventListener('abort', kill, { once: true });
  if (stop.aborted) kill();
  const end = await running.ended.finally(() => stop.removeEventListener('abort', kill));
  if (c.signal.aborted) return CONVERSION_CANCELLED;
  if (stop.aborted) return conversionTimedOut(c.timeoutSeconds, '');
  return end.code === 0 ? counter : probeFailure(end, lines);
}

import type { Failure } from '../../domain/failure.ts';
import { type LogLine, parseLogLine } from '../log/log-line.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import { probeFailure } from '../probe/probe-failure.ts';
import { launch } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { explainInput } from '../run/failed-output.ts';
import type { ConversionRun } from '../run/run.ts';
import { CONVERSION_CANCELLED, conversionTimedOut } from '../run/stop.ts';
import { confineCommand, writableFolders } from '../sandbox/confine.ts';
import { CORES, kernelLimits } from '../sandbox/limits.ts';
import { withPinnedFiles } from '../sandbox/pinned-files.ts';

/** timeout(1) waits this long after the timeout, because normally the service itself ends a slow run. */
const LAST_RESORT_SECONDS = 5;
const MAX_LINES = 100;

/** The run of an analysis on a machine with ffprobe. */
export type FfprobeRun = ConversionRun & { readonly ffprobePath: string };

/** Receives what ffprobe writes, line by line. */
export interface FfprobeListener {
  readonly onLine: (line: string) => void;
  readonly onLog?: (line: LogLine) => void;
}

/**
 * Runs ffprobe in the sandbox and within the limits of a conversion. Returns why it failed; undefined if it did not.
 *
 * @param seconds How long it may take.
 */
export async function runFfprobe(
  c: FfprobeRun,
  argv: readonly string[],
  seconds: number,
  { onLine, onLog = () => {} }: FfprobeListener,
): Promise<Failure | undefined> {
  const lines: LogLine[] = [];
  const out = new LineSplitter(onLine);
  const err = new LineSplitter((text) => {
    const line = parseLogLine(text);
    onLog(line);
    if (lines.length < MAX_LINES) lines.push(line);
  });
  const stop = AbortSignal.any([c.signal, AbortSignal.timeout(Math.ceil(seconds * 1000))]);
  const limits = kernelLimits(c.policy, c.timeoutSeconds, CORES);
  const cgroup = await c.cgroups?.open(limits);
  const writable = writableFolders(c.sandbox, [argv]);
  try {
    const running = await withPinnedFiles({ ...c, writable }, (pinned) =>
      launch(
        confineCommand({
          ...pinned,
          sandbox: c.sandbox,
          program: c.ffprobePath,
          argv,
          limits,
          lastResortSeconds: Math.ceil(seconds) + LAST_RESORT_SECONDS,
        }),
        { out, err },
        cgroup?.enter,
      ),
    );
    const kill = (): void => void running.kill();
    stop.addEventListener('abort', kill, { once: true });
    if (stop.aborted) kill();
    const end = await running.ended.finally(() => stop.removeEventListener('abort', kill));
    if (c.signal.aborted) return CONVERSION_CANCELLED;
    if (stop.aborted) return conversionTimedOut(c.timeoutSeconds, '');
    if (end.code === 0) return undefined;
    return replaceLogicalNames(await explainInput(c, probeFailure(end, lines)), c.plan.inputs);
  } finally {
    await cgroup?.end();
  }
}

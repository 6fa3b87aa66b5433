import { availableParallelism } from 'node:os';
import type { Config } from '../../config/config.ts';
import { Problem } from '../../domain/problem.ts';
import { runProbe } from '../../ffmpeg/probe/probe.ts';
import { concurrencyLimiter } from '../../jobs/concurrency-limiter.ts';
import type { ProbeOperations } from '../../jobs/operations.ts';
import type { ConverterFiles, InputStaging, PathStats, Prober } from '../../jobs/ports.ts';
import { probeFile } from '../../jobs/probe.ts';
import type { Toolchain } from './toolchain.ts';

/** The maximum number of concurrent probes. A probe usually uses a core for 50 ms; conversions need the others. */
const MOST_AT_ONCE = 4;
const PER_CLIENT = 8;
const IN_ALL = 64;

/** Builds the use case that probes files, with the installed ffprobe and the sandbox. */
export function probeOperations(
  media: PathStats & InputStaging & ConverterFiles,
  tools: Promise<Toolchain>,
  { probeTimeoutSeconds: timeoutSeconds }: Pick<Config, 'probeTimeoutSeconds'>,
): ProbeOperations {
  const prober: Prober = async ({ plan, input, signal }) => {
    const { ffprobePath, sandbox, workRoot } = await tools;
    if (ffprobePath === undefined)
      throw new Problem(
        'NOT_IMPLEMENTED',
        'This service has no ffprobe. Ask the operator to install it (it comes with ffmpeg) or to set FFPROBE_PATH.',
      );
    const [mount] = media.mounts([input]);
    if (mount === undefined) throw new Error('The engine has no mount for a staged input.');
    return runProbe({ plan, mount, ffprobePath, sandbox, workRoot, timeoutSeconds, signal });
  };
  const deps = {
    media,
    prober,
    limitConcurrency: concurrencyLimiter('probes', {
      running: Math.min(availableParallelism(), MOST_AT_ONCE),
      perClient: PER_CLIENT,
      total: IN_ALL,
    }),
  };
  return { probe: (caller, request, signal) => probeFile(deps, caller, request, signal) };
}

import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { CORES } from '../sandbox/limits.ts';

/** The timeout of a run, in seconds, if no limit "time" is set. */
export const RUN_SECONDS = 7200;

const GIB = 2 ** 30;

/** The default limits of a run: the same as in a service without settings. */
export const DEFAULT_RUN_LIMITS: ClientLimits = {
  memory: (4 + CORES / 4) * GIB,
  processes: 512 + 64 * CORES,
  output: 100 * GIB,
  duration: 48 * 3600,
  pixels: 16_384 * 8192,
  streams: 256,
  threads: 64,
};

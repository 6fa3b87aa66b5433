import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import type { Build } from '../../catalogue/build.ts';
import { readNumber } from '../../values/number.ts';
import { parseParamsString } from '../../values/params-string.ts';

/** What determines how many threads an encoder starts. */
export interface Machine {
  readonly cores: number;
  /** True if the parameter `lp` of libsvtav1 is a level of parallelism. In older releases, it is a number of processors. */
  readonly svtLevels: boolean;
}

/** The lowest number of processors for which SVT-AV1 2.3 to 4.2 selects level 1, level 2, and so on. */
const CORES_OF_LEVELS = [1, 2, 3, 6, 12, 24];

/** True if `lp` of libsvtav1 is a level (since SVT-AV1 2.3). No build reports this version, so it is assumed from ffmpeg 7.1 on. */
export const usesSvtLevels = ({ release }: Build): boolean =>
  release === undefined || release[0] > 7 || (release[0] === 7 && release[1] >= 1);

/** The level that SVT-AV1 selects for this number of processors. */
export const svtLevelOf = (cores: number): number =>
  Math.max(1, CORES_OF_LEVELS.filter((fewest) => fewest <= cores).length);

/** The lowest number of processors for which SVT-AV1 selects this level. Levels above the highest count as the highest. */
const coresOfSvtLevel = (level: number): number =>
  CORES_OF_LEVELS[Math.min(Math.ceil(level), CORES_OF_LEVELS.length) - 1] ?? 1;

const INT_MAX = 2 ** 31 - 1;

/** The number of threads that ffmpeg starts by default. No encoder or decoder that obeys `threads` starts more. */
export const defaultThreads = ({ cores }: Machine): number => cores * 1.5;

/** The constants of the AVOption `threads`. 0: ffmpeg decides. */
const THREAD_CONSTANTS: Readonly<Record<string, number>> = {
  default: 1,
  max: INT_MAX,
  min: 0,
  none: 0,
  auto: 0,
  all: 0,
};

/** Options of the decoder libdav1d that override `threads`. 0: not set. */
const DECODER_OPTIONS: ReadonlySet<string> = new Set(['framethreads', 'tilethreads']);

type Count = (value: string, machine: Machine) => number;

const plainCount: Count = (value) => readNumber(value) ?? 0;

/**
 * The parameters of encoder libraries that override `threads`, each with a function that returns how many threads it starts. The numbers
 * include the frame and lookahead threads that x264 and x265 start by default.
 */
const THREAD_KEYS: ReadonlyMap<string, Count> = new Map<string, Count>([
  ['threads', (value, machine) => plainCount(value, machine) || defaultThreads(machine)],
  ['pools', poolThreads],
  ['numa-pools', poolThreads],
  ['lp', svtThreads],
  ['frame-threads', plainCount],
  ['lookahead-threads', plainCount],
]);

/** The highest number of concurrent threads that an option requests. undefined: the option is not about threads. */
export function requestedThreads(name: string, value: string, machine: Machine): number | undefined {
  if (name === 'threads') {
    const constant = (word: string) => (Object.hasOwn(THREAD_CONSTANTS, word) ? THREAD_CONSTANTS[word] : undefined);
    const threads = readNumber(value, constant) ?? 0;
    return Math.round(threads) > 0 ? threads : defaultThreads(machine);
  }
  if (DECODER_OPTIONS.has(name)) return plainCount(value, machine);
  const params = PARAMS_OPTIONS.get(name);
  if (params === undefined) return undefined;
  const counts = parseParamsString(value, params)?.flatMap(
    ([key, text]) => THREAD_KEYS.get(key.replaceAll('_', '-'))?.(text, machine) ?? [],
  );
  return counts === undefined || counts.length === 0 ? undefined : Math.max(...counts);
}

/** Adds up the threads of all NUMA nodes in `pools`. `*` and `+`: one thread per processor of the node. `-` and `none`: no thread. */
function poolThreads(value: string, { cores }: Machine): number {
  const counts = value.split(',').map((part) => (/^[*+]/.test(part) ? cores : Number.parseInt(part, 10) || 0));
  return counts.reduce((sum, count) => sum + Math.max(count, 0), 0);
}

function svtThreads(value: string, { cores, svtLevels }: Machine): number {
  const parallelism = readNumber(value) ?? 0;
  if (parallelism <= 0) return cores;
  return svtLevels ? coresOfSvtLevel(parallelism) : parallelism;
}

import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import type { Build } from '../../catalogue/build.ts';
import { readNumber } from '../../values/number.ts';
import { parseParamsString } from '../../values/params-string.ts';

/** What the number of threads depends on. */
export interface Machine {
  readonly cores: number;
  /** Whether `lp` of libsvtav1 is a level of parallelism; in older releases it is a number of processors. */
  readonly svtLevels: boolean;
}

/** The fewest processors for which SVT-AV1 2.3 to 4.2 selects each level of parallelism by default, from level 1 on. */
const CORES_OF_LEVELS = [1, 2, 3, 6, 12, 24];

/** SVT-AV1 has levels since 2.3. A build does not report that version, so the release of ffmpeg stands for it. */
export const usesSvtLevels = ({ release }: Build): boolean =>
  release === undefined || release[0] > 7 || (release[0] === 7 && release[1] >= 1);

/** The level for this many processors. */
export const svtLevelOf = (cores: number): number =>
  Math.max(1, CORES_OF_LEVELS.filter((fewest) => fewest <= cores).length);

/** The fewest processors that a level is for. Levels above the last one count as the last one. */
const coresOfSvtLevel = (level: number): number =>
  CORES_OF_LEVELS[Math.min(Math.ceil(level), CORES_OF_LEVELS.length) - 1] ?? 1;

const INT_MAX = 2 ** 31 - 1;

/** The threads that ffmpeg starts by default. No encoder or decoder that respects `threads` starts more. */
export const defaultThreads = ({ cores }: Machine): number => cores * 1.5;

/** The constants of the AVOption `threads`. 0 means that ffmpeg decides. */
const THREAD_CONSTANTS: Readonly<Record<string, number>> = {
  default: 1,
  max: INT_MAX,
  min: 0,
  none: 0,
  auto: 0,
  all: 0,
};

/** Options of libdav1d. They override `threads`; 0 means that they are not set. */
const DECODER_OPTIONS: ReadonlySet<string> = new Set(['framethreads', 'tilethreads']);

type Count = (value: string, machine: Machine) => number;

const plainCount: Count = (value) => readNumber(value) ?? 0;

/**
 * Keys of encoder libraries, which override `threads`. What x265 and x264 choose for frame and lookahead threads by
 * default is part of the other counts.
 */
const THREAD_KEYS: ReadonlyMap<string, Count> = new Map<string, Count>([
  ['threads', (value, machine) => plainCount(value, machine) || defaultThreads(machine)],
  ['pools', poolThreads],
  ['numa-pools', poolThreads],
  ['lp', svtThreads],
  ['frame-threads', plainCount],
  ['lookahead-threads', plainCount],
]);

/** The most threads at a time that an option requests. Returns undefined if the option does not control threads. */
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

/** One count for each NUMA node: `*` and `+` mean all its processors, whatever follows; `-` and `none` mean no pool. */
function poolThreads(value: string, { cores }: Machine): number {
  const counts = value.split(',').map((part) => (/^[*+]/.test(part) ? cores : Number.parseInt(part, 10) || 0));
  return counts.reduce((sum, count) => sum + Math.max(count, 0), 0);
}

function svtThreads(value: string, { cores, svtLevels }: Machine): number {
  const parallelism = readNumber(value) ?? 0;
  if (parallelism <= 0) return cores;
  return svtLevels ? coresOfSvtLevel(parallelism) : parallelism;
}

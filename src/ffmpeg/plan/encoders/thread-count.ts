import { PARAMS_OPTIONS } from '../../allowlist/encoder-params/tables.ts';
import { readNumber } from '../../values/number.ts';
import { parseParamsString } from '../../values/params-string.ts';
import { coresOfSvtLevel } from './svtav1-parallelism.ts';

/** What threads are made for. */
export interface Machine {
  readonly cores: number;
  /** libsvtav1 counts levels, and not processors; see `svt-levels.ts`. */
  readonly svtLevels: boolean;
}

const INT_MAX = 2 ** 31 - 1;

/** Threads that ffmpeg takes by itself; no encoder or decoder that heeds `threads` takes more. */
export const defaultThreads = ({ cores }: Machine): number => cores * 1.5;

/** What words stand for in the AVOption `threads`; 0 leaves the number to the machine. */
const WORDS: Readonly<Record<string, number>> = { default: 1, max: INT_MAX, min: 0, none: 0, auto: 0, all: 0 };

/** Of libdav1d; they win over `threads`, and 0 is to say nothing. */
const DECODERS: ReadonlySet<string> = new Set(['framethreads', 'tilethreads']);

type Count = (value: string, machine: Machine) => number;

const plainly: Count = (value) => readNumber(value) ?? 0;

/** Keys of encoder libraries, which win over `threads`. What x265 and x264 choose for the latter ones is within the first. */
const KEYS: ReadonlyMap<string, Count> = new Map<string, Count>([
  ['threads', (value, machine) => plainly(value, machine) || defaultThreads(machine)],
  ['pools', inPools],
  ['numa-pools', inPools],
  ['lp', processors],
  ['frame-threads', plainly],
  ['lookahead-threads', plainly],
]);

/** The most threads that an option asks for at a time. undefined: it says nothing of threads. */
export function requestedThreads(name: string, value: string, machine: Machine): number | undefined {
  if (name === 'threads') {
    const said = readNumber(value, (word) => (Object.hasOwn(WORDS, word) ? WORDS[word] : undefined)) ?? 0;
    return Math.round(said) > 0 ? said : defaultThreads(machine);
  }
  if (DECODERS.has(name)) return plainly(value, machine);
  const keyed = PARAMS_OPTIONS.get(name);
  const asked = (keyed && parseParamsString(value, keyed))?.flatMap(
    ([key, text]) => KEYS.get(key.replaceAll('_', '-'))?.(text, machine) ?? [],
  );
  return asked === undefined || asked.length === 0 ? undefined : Math.max(...asked);
}

/** A count for each node of memory; `*` and `+` are all of its processors, whatever follows; `-` and `none` are no pool. */
function inPools(value: string, { cores }: Machine): number {
  const counts = value.split(',').map((part) => (/^[*+]/.test(part) ? cores : Number.parseInt(part, 10) || 0));
  return counts.reduce((sum, count) => sum + Math.max(count, 0), 0);
}

function processors(value: string, { cores, svtLevels }: Machine): number {
  const said = readNumber(value) ?? 0;
  if (said <= 0) return cores;
  return svtLevels ? coresOfSvtLevel(said) : said;
}

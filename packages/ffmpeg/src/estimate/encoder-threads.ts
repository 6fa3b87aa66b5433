import { PARAMS_OPTIONS } from '../allowlist/encoder-params/tables.ts';
import { requestedThreads } from '../plan/encoders/thread-count.ts';
import { readNumber } from '../values/number.ts';
import { parseParamsString } from '../values/params-string.ts';

/** Gives the value of an option of the encoder. undefined: it is not set. */
type OptionOf = (name: string) => string | undefined;

/** A machine on which only options limit threads. The levels of SVT-AV1 are assumed, because a plan does not name the release. */
const ANY_MACHINE = { cores: Number.POSITIVE_INFINITY, svtLevels: true };

/** The options with parameters of encoder libraries that limit threads, and which parameters do. They override `threads`. */
const BY_PARAMETER: Readonly<Record<string, { readonly options: readonly string[]; readonly key: RegExp }>> = {
  libx264: { options: ['x264opts', 'x264-params'], key: /^threads$/ },
  libx265: { options: ['x265-params'], key: /^(?:numa-)?pools$/ },
  libsvtav1: { options: ['svtav1-params'], key: /^lp$/ },
};

/** Encoders that start threads for every core whatever `threads` is. */
const IGNORES_THREADS: ReadonlySet<string> = new Set(['libx265', 'libsvtav1']);

/** Encoders without threads: "Threading capabilities: none" of `ffmpeg -h encoder=NAME`. */
const ONE_THREAD: ReadonlySet<string> = new Set(['gif', 'rawvideo']);

/** Returns how many threads the encoder of a video uses at most, on a machine with any number of cores. */
export function encoderThreads(encoder: string, width: number, optionOf: OptionOf): number {
  if (ONE_THREAD.has(encoder)) return 1;
  const general = IGNORES_THREADS.has(encoder) ? undefined : optionOf('threads');
  const requested =
    parameterThreads(encoder, optionOf) ??
    (general === undefined ? undefined : requestedThreads('threads', general, ANY_MACHINE)) ??
    Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(requested, encoder === 'libvpx-vp9' ? vp9Threads(width, optionOf) : requested));
}

function parameterThreads(encoder: string, optionOf: OptionOf): number | undefined {
  const { options = [], key: limiting } = BY_PARAMETER[encoder] ?? {};
  const counts = options.flatMap((name) => {
    const params = PARAMS_OPTIONS.get(name);
    const text = optionOf(name);
    if (params === undefined || text === undefined) return [];
    return (parseParamsString(text, params) ?? [])
      .filter(([key]) => limiting?.test(key.replaceAll('_', '-')))
      .flatMap(([key, value]) => requestedThreads(name, `${key}=${value}`, ANY_MACHINE) ?? []);
  });
  return counts.at(-1);
}

/**
 * libvpx encodes each column of tiles in one thread. The binary logarithm of their number is at most `tile-columns` (6 by default), and a
 * column has at least four blocks of 64 pixels (`get_max_log2_tile_cols`). With `row-mt`, rows have threads too.
 */
function vp9Threads(width: number, optionOf: OptionOf): number {
  if (/^(?:1|true|on|yes)$/.test(optionOf('row-mt') ?? '')) return Number.POSITIVE_INFINITY;
  const sent = readNumber(optionOf('tile-columns') ?? '') ?? -1;
  const most = Math.floor(Math.log2(Math.max(4, Math.ceil(width / 64)) / 4));
  return 2 ** Math.min(sent < 0 ? 6 : sent, most);
}

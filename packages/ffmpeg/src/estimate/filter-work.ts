import { isGraphError } from '../filtergraph/graph.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import type { CommandOptions, VideoLink } from './links.ts';
import type { AppliedFilter } from './output-streams.ts';

/** What filters need, in processor seconds. `oneThread`: the part of them without threads of their own, which more cores do not shorten. */
export interface FilterWork {
  readonly all: number;
  readonly oneThread: number;
}

export const NO_FILTERS: FilterWork = { all: 0, oneThread: 0 };

/** Adds the work of filters that run one after the other. */
export const addWork = (works: readonly FilterWork[]): FilterWork =>
  works.reduce((sum, one) => ({ all: sum.all + one.all, oneThread: sum.oneThread + one.oneThread }), NO_FILTERS);

/** Processor seconds for one megapixel of the larger of input and output, for filters that take longer than usual ones. */
const VIDEO_FILTERS: Readonly<Record<string, number>> = {
  ...{
    scale: 0.003,
    hqdn3d: 0.012,
    unsharp: 0.012,
    gblur: 0.01,
    boxblur: 0.015,
    nlmeans: 0.6,
    bm3d: 2,
    vaguedenoiser: 0.06,
  },
  ...{
    owdenoise: 0.2,
    atadenoise: 0.02,
    median: 0.05,
    deband: 0.02,
    yadif: 0.008,
    bwdif: 0.01,
    estdif: 0.05,
    minterpolate: 1,
  },
  ...{
    palettegen: 0.03,
    paletteuse: 0.15,
    deshake: 0.03,
    vidstabdetect: 0.03,
    vidstabtransform: 0.02,
    rotate: 0.02,
    geq: 0.2,
  },
  ...{
    perspective: 0.03,
    lenscorrection: 0.02,
    tonemap: 0.03,
    zscale: 0.01,
    colorspace: 0.01,
    lut3d: 0.01,
    vignette: 0.01,
  },
};

/** Filters of `VIDEO_FILTERS` that use one thread (their flags in ffmpeg 5.1 to 8). The others split each frame among threads. */
const ONE_THREAD: ReadonlySet<string> = new Set(
  'boxblur owdenoise palettegen paletteuse minterpolate deshake vidstabtransform'.split(' '),
);

/** Processor seconds for one second of stereo, for the filters that take longer than an encoder. All have one thread. */
const AUDIO_FILTERS: Readonly<Record<string, number>> = {
  ...{ loudnorm: 0.03, ebur128: 0.02, alimiter: 0.005, dynaudnorm: 0.005, afftdn: 0.02, anlmdn: 0.3, arnndn: 0.03 },
  ...{ superequalizer: 0.01, firequalizer: 0.02, adeclick: 0.1, rubberband: 0.05 },
};

const MEGA = 1e6;

/** Computes the work of the filters of an output. `seconds`: how long it reads at most. */
export const filterWork = (filters: readonly AppliedFilter[], seconds: number): FilterWork =>
  addWork(
    filters.map(({ name, link }) =>
      link.kind === 'audio'
        ? ofAudio(name, Math.min(seconds, link.seconds))
        : ofVideo(name, { ...link, seconds: Math.min(seconds, link.seconds) }),
    ),
  );

/**
 * Computes the work of the filters in the first of two passes, which measures for the second one. Its graphs join their branches again, so
 * the streams between the filters are not followed: all filters get the video of the input, which is what detectors usually get.
 */
export const measuringWork = (
  options: CommandOptions,
  seconds: number,
  video: Omit<VideoLink, 'seconds'> | undefined,
): FilterWork =>
  addWork(
    options.flatMap(([name, value]) => {
      const graph = /^filter(?:_complex|:|$)/.test(name) ? parseGraph(value) : undefined;
      if (graph === undefined || isGraphError(graph)) return [];
      return graph.chains
        .flat()
        .map((filter) =>
          Object.hasOwn(AUDIO_FILTERS, filter.name) || video === undefined
            ? ofAudio(filter.name, seconds)
            : ofVideo(filter.name, { ...video, seconds }),
        );
    }),
  );

function ofAudio(name: string, seconds: number): FilterWork {
  const all = (AUDIO_FILTERS[name] ?? 0) * seconds;
  return { all, oneThread: all };
}

function ofVideo(name: string, { width, height, fps, seconds }: VideoLink): FilterWork {
  const all = ((VIDEO_FILTERS[name] ?? 0) * width * height * fps * seconds) / MEGA;
  return { all, oneThread: ONE_THREAD.has(name) ? all : 0 };
}

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

/**
 * Processor seconds for one megapixel of the larger of input and output, for filters that take longer than usual ones.
 * `docs/decisions/0081-estimates.md` describes the measurement.
 */
const VIDEO_FILTERS: Readonly<Record<string, number>> = {
  // Size and colours.
  ...{ scale: 0.002, zscale: 0.002, rotate: 0.018, shear: 0.025, perspective: 0.008, lenscorrection: 0.005 },
  ...{ colorspace: 0.01, tonemap: 0.017, lut3d: 0.022, haldclut: 0.022, curves: 0.004, colorbalance: 0.023 },
  ...{ colorchannelmixer: 0.004, colorkey: 0.005, chromakey: 0.032, colorhold: 0.006, despill: 0.009, vibrance: 0.009 },
  ...{ colortemperature: 0.01, selectivecolor: 0.015, monochrome: 0.011, exposure: 0.005, normalize: 0.006 },
  ...{ histeq: 0.011, grayworld: 0.042, greyedge: 0.26, rgbashift: 0.006, elbg: 1, geq: 0.045 },
  // Palettes of moving pictures. Those of still ones take a fifth.
  ...{ palettegen: 0.15, paletteuse: 0.2 },
  // Sharpness and noise.
  ...{ unsharp: 0.008, cas: 0.018, boxblur: 0.007, avgblur: 0.004, median: 0.1, deband: 0.007, deblock: 0.004 },
  ...{ hqdn3d: 0.004, atadenoise: 0.005, vaguedenoiser: 0.04, owdenoise: 0.95, nlmeans: 0.7, bm3d: 0.6 },
  ...{ edgedetect: 0.026, sobel: 0.005, prewitt: 0.005, signalstats: 0.009 },
  // Several frames at once.
  ...{ estdif: 0.067, minterpolate: 0.17, tmix: 0.005, lagfun: 0.005, deshake: 0.027, vidstabdetect: 0.01 },
  ...{ vidstabtransform: 0.012, overlay: 0.005, drawgrid: 0.005 },
};

/** Filters of `VIDEO_FILTERS` that use one thread (no `S` in the list of ffmpeg 5.1). The others split each frame among threads. */
const ONE_THREAD: ReadonlySet<string> = new Set(
  (
    'palettegen paletteuse minterpolate deshake elbg histeq normalize boxblur avgblur deblock vaguedenoiser owdenoise ' +
    'edgedetect drawgrid'
  ).split(' '),
);

/**
 * Processor seconds for one second of stereo, for filters that take longer than usual ones. ffmpeg encodes audio in one thread too. `loudnorm`
 * takes so long only where it changes the gain all the time, as in a first pass.
 */
const AUDIO_FILTERS: Readonly<Record<string, number>> = {
  ...{ loudnorm: 0.11, ebur128: 0.012, afftdn: 0.015, anlmdn: 0.55, adeclick: 0.06, adeclip: 0.12, aexciter: 0.012 },
};

/**
 * How much a `loudnorm` with measured values takes of one without. In a second pass of half a minute of film, one that applied a constant gain took 4 %, and
 * one that could not as much as in the first pass. Which of both it is depends on the audio, so this is the middle.
 */
const MEASURED_LOUDNORM = 0.5;

const MEGA = 1e6;

/** Computes the work of the filters of an output. `seconds`: how long it reads at most. */
export const filterWork = (filters: readonly AppliedFilter[], seconds: number): FilterWork =>
  addWork(
    filters.map(({ name, link, isMeasured = false }) =>
      link.kind === 'audio'
        ? ofAudio(name, Math.min(seconds, link.seconds) * (isMeasured ? MEASURED_LOUDNORM : 1))
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

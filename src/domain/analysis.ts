/** What an analysis can measure. */
export const MEASUREMENTS = [
  'loudness',
  'volume',
  'silence',
  'black',
  'freeze',
  'scenes',
  'crop',
  'interlacing',
  'duplicates',
  'bitrate',
  'keyframes',
  'errors',
  'psnr',
  'ssim',
  'xpsnr',
  'vmaf',
] as const;

export type Measurement = (typeof MEASUREMENTS)[number];

/** Measurements that compare the input with a reference. */
export const COMPARISONS = ['psnr', 'ssim', 'xpsnr', 'vmaf'] as const satisfies readonly Measurement[];

export type Comparison = (typeof COMPARISONS)[number];

export const isComparison = (measurement: Measurement): measurement is Comparison =>
  (COMPARISONS as readonly Measurement[]).includes(measurement);

const SOUND: ReadonlySet<Measurement> = new Set(['loudness', 'volume', 'silence']);
const ALL_KINDS: ReadonlySet<Measurement> = new Set(['bitrate', 'errors']);

/** The kind of the streams that a measurement is about. undefined: of all kinds. */
export const measuredKind = (measurement: Measurement): 'audio' | 'video' | undefined =>
  ALL_KINDS.has(measurement) ? undefined : SOUND.has(measurement) ? 'audio' : 'video';

/** The settings of measurements, with their units. */
export interface AnalysisSettings {
  readonly silence?: {
    /** Sound below this level is silence, in dBFS. */
    readonly noiseDb?: number;
    /** The shortest silence, in seconds. */
    readonly minSeconds?: number;
  };
  readonly black?: {
    readonly minSeconds?: number;
    /** The share of a picture that must be black. */
    readonly share?: number;
    /** The luminance below which a pixel is black, from 0 to 1. */
    readonly pixel?: number;
  };
  readonly freeze?: {
    /** The difference below which a picture is the same, in dB. */
    readonly noiseDb?: number;
    readonly minSeconds?: number;
  };
  readonly scenes?: {
    /** How much a picture must differ, from 0 to 100. */
    readonly threshold?: number;
  };
  readonly crop?: {
    /** The luminance below which a border is black, from 0 to 1. */
    readonly limit?: number;
    /** The size is a multiple of this. */
    readonly round?: number;
  };
  readonly bitrate?: {
    /** Default: 1. Longer, if the file has more than `FIRST_LISTED` of them. */
    readonly intervalSeconds?: number;
  };
}

/** The settings that a request leaves out. */
const DEFAULT_SETTINGS = {
  silence: { noiseDb: -60, minSeconds: 2 },
  black: { minSeconds: 2, share: 0.98, pixel: 0.1 },
  freeze: { noiseDb: -60, minSeconds: 2 },
  scenes: { threshold: 10 },
  // That of cropdetect: 24 of 255.
  crop: { limit: 0.0941176, round: 2 },
  bitrate: { intervalSeconds: 1 },
} as const satisfies { readonly [K in keyof AnalysisSettings]: Required<AnalysisSettings[K]> };

type AllSettings = { readonly [K in keyof AnalysisSettings]-?: Required<NonNullable<AnalysisSettings[K]>> };

/** All settings of an analysis: those of its request, and the defaults. */
export const allSettings = ({ settings = {} }: Pick<AnalysisSpec, 'settings'>): AllSettings => ({
  silence: { ...DEFAULT_SETTINGS.silence, ...settings.silence },
  black: { ...DEFAULT_SETTINGS.black, ...settings.black },
  freeze: { ...DEFAULT_SETTINGS.freeze, ...settings.freeze },
  scenes: { ...DEFAULT_SETTINGS.scenes, ...settings.scenes },
  crop: { ...DEFAULT_SETTINGS.crop, ...settings.crop },
  bitrate: { ...DEFAULT_SETTINGS.bitrate, ...settings.bitrate },
});

/** The settings that an analysis uses, those of what it measures. undefined if it has none. */
export function usedSettings({ measure, settings }: AnalysisSpec): AnalysisSettings | undefined {
  const all = allSettings(settings === undefined ? {} : { settings });
  const used = measure.filter((one): one is keyof AllSettings & Measurement => Object.hasOwn(all, one));
  return used.length === 0 ? undefined : Object.fromEntries(used.map((one) => [one, all[one]]));
}

/** What an analysis measures, and of which part of its input. */
export interface AnalysisSpec {
  readonly measure: readonly Measurement[];
  readonly settings?: AnalysisSettings;
  /** The file that comparisons compare the input with. */
  readonly reference?: string;
  /** The number of the audio stream to measure, from 0. Default: the first. */
  readonly audio?: number;
  /** Where to start and how long to measure, in seconds as text. They apply to the reference too. */
  readonly ss?: string;
  readonly t?: string;
  /** How much longer the picture is than the sound, in seconds, if what follows the sound is to count as silence. Requests cannot send it. */
  readonly silentTail?: number;
}

/** The most entries of a list that are kept. The totals beside it count all. */
export const MAX_LISTED = 20_000;

/** The entries of a list that stand in the record of the job. The others are read in pages. */
export const FIRST_LISTED = 1000;

/** A part of the input, in seconds from its start. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Parts of the input that a measurement found. */
export interface Intervals {
  readonly count: number;
  readonly totalSeconds: number;
  /** The first `MAX_LISTED`. */
  readonly intervals: readonly Interval[];
}

/** A damaged part of the picture. */
export interface DamagedInterval extends Interval {
  /**
   * Where the picture is sure to be whole again: at the next key frame, or at its end. Absent if that is `end`. The pictures
   * before are decoded without an error, but may be drawn from lost ones.
   */
  readonly wrongUntil?: number;
}

/** Damaged parts of the picture. */
export interface DamagedIntervals extends Intervals {
  readonly intervals: readonly DamagedInterval[];
}

/**
 * `intact`: no error. `doubtful`: errors, but no picture and no sound is lost. `damaged`: some are. `cut off`: the data ends before
 * the header says. `empty`: no frame at all.
 */
export const ERROR_VERDICTS = ['intact', 'doubtful', 'damaged', 'cut off', 'empty'] as const;

export type ErrorVerdict = (typeof ERROR_VERDICTS)[number];

/** A value of each picture, as a comparison reports it. */
interface PictureQuality {
  readonly mean: number;
  readonly min: number;
  /** Where the worst picture is, in seconds. */
  readonly minAt: number;
}

/** The results of an analysis, one member for each measurement. Times are seconds from the start of the input. */
export interface Measurements {
  /** By EBU R128. null for silence, and for sound that is too short. */
  readonly loudness?: {
    readonly integratedLufs: number | null;
    readonly rangeLu: number;
    readonly truePeakDbtp: number | null;
  };
  /** In dBFS. null for digital silence. */
  readonly volume?: { readonly meanDb: number | null; readonly peakDb: number | null };
  readonly silence?: Intervals;
  readonly black?: Intervals;
  readonly freeze?: Intervals;
  readonly scenes?: {
    readonly count: number;
    /** The first `MAX_LISTED`. `score`: from 0 to 100. */
    readonly changes: readonly { readonly at: number; readonly score: number }[];
  };
  /** The picture without black borders. null if all of it is black. */
  readonly crop?: {
    readonly width: number;
    readonly height: number;
    readonly x: number;
    readonly y: number;
    /** For `vf`: `crop=1920:800:0:140`. */
    readonly filter: string;
  } | null;
  readonly interlacing?: {
    readonly verdict: 'progressive' | 'top field first' | 'bottom field first' | 'mixed' | 'undetermined';
    /** Numbers of pictures. */
    readonly progressive: number;
    readonly topFieldFirst: number;
    readonly bottomFieldFirst: number;
    readonly undetermined: number;
  };
  readonly duplicates?: {
    readonly frames: number;
    readonly duplicates: number;
    /** The times of the first `MAX_LISTED`. */
    readonly at: readonly number[];
  };
  /** Of all streams together, in bits per second. */
  readonly bitrate?: {
    readonly mean: number;
    readonly max: number;
    /** Where the interval with the highest rate begins. */
    readonly maxAt: number;
    readonly intervalSeconds: number;
    readonly values: readonly number[];
  };
  /** Of the first picture stream. */
  readonly keyframes?: {
    readonly count: number;
    /** Seconds from one to the next, and from the last one to the end. */
    readonly meanSpacing: number;
    readonly maxSpacing: number;
    /** The times of the first `MAX_LISTED`. */
    readonly at: readonly number[];
  };
  /** What is damaged or missing. Of the whole file, all streams are decoded; the parts are those of the first ones. */
  readonly errors?: {
    readonly verdict: ErrorVerdict;
    /** In plain words, what is wrong. */
    readonly message: string;
    /** How many errors ffmpeg reports while it reads and decodes. Some of them damage nothing. */
    readonly count: number;
    /** Where pictures cannot be decoded, or are damaged. Absent without a film. */
    readonly video?: DamagedIntervals;
    /** The same of the sound. */
    readonly audio?: Intervals;
    /** Where the data ends, or cannot be read on, in seconds, if the file says that there is more. */
    readonly endsAt?: number;
  };
  /** In dB. null if all pictures are equal. `mean`: of the mean squared error, as ffmpeg reports it. */
  readonly psnr?: PictureQuality | null;
  /** From 0 to 1. */
  readonly ssim?: PictureQuality;
  /** In dB, for each plane. null where all pictures are equal. */
  readonly xpsnr?: { readonly y: number | null; readonly u: number | null; readonly v: number | null };
  /** From 0 to 100, by the default model of libvmaf. */
  readonly vmaf?: { readonly mean: number; readonly min: number };
}

import {
  type AnalysisSpec,
  allSettings,
  type Comparison,
  isComparison,
  MEASUREMENTS,
  type Measurement,
  measuredKind,
} from '@telecine/contract/domain/analysis.ts';
import { METRIC_FILTERS, VMAF_FILTER } from '../../catalogue/changed-catalogue.ts';

/** The file in the scratch folder to which ffmpeg writes the results of a filter. */
export const printedFile = (name: string): string => `pass/${name}.txt`;

/** The log of libvmaf. The scores are read from it, because libvmaf adds no metadata to frames. */
export const VMAF_LOG = 'pass/vmaf.json';

const PACKETS: ReadonlySet<Measurement> = new Set(['bitrate', 'keyframes']);

export const measuresAudio = ({ measure }: AnalysisSpec): boolean =>
  measure.some((one) => measuredKind(one) === 'audio');
export const measuresVideo = ({ measure }: AnalysisSpec): boolean =>
  measure.some((one) => measuredKind(one) === 'video' && !isComparison(one) && !PACKETS.has(one));
export const measuresPackets = ({ measure }: AnalysisSpec): boolean => measure.some((one) => PACKETS.has(one));

export const measuresErrors = ({ measure }: AnalysisSpec): boolean => measure.includes('errors');

/** The filter for each measurement. undefined: ffprobe measures this, without a filter. */
const FILTER_OF: Readonly<Record<Measurement, string | undefined>> = {
  loudness: 'ebur128',
  volume: 'astats',
  silence: 'silencedetect',
  black: 'blackdetect',
  freeze: 'freezedetect',
  scenes: 'scdet',
  crop: 'cropdetect',
  interlacing: 'idet',
  duplicates: 'mpdecimate',
  bitrate: undefined,
  keyframes: undefined,
  errors: undefined,
  psnr: 'psnr',
  ...METRIC_FILTERS,
};

export const filterOf = (measurement: Measurement): string | undefined => FILTER_OF[measurement];

export const measurable = (filters: { has(name: string): boolean }): readonly Measurement[] =>
  MEASUREMENTS.filter((one) => filters.has(FILTER_OF[one] ?? '') || FILTER_OF[one] === undefined);

/** Files with a mark for each frame of the audio or the video. */
export const AUDIO_FRAMES = 'sound-frames';
export const VIDEO_FRAMES = 'picture-frames';

/** The metadata key of a mark that every frame gets, so that frames without results are counted too. */
const FRAME_MARK = 'telecine';

/** Deletes the metadata of frames, because decoders copy tags of the file into it, which could look like results. */
const CLEAN = 'mode=delete';
const MARK = `mode=add:key=${FRAME_MARK}:value=1`;

const printOf = (filter: 'metadata' | 'ametadata', key: string, more = ''): string =>
  `${filter}=mode=print:key=${key}${more}:file=${printedFile(key)}`;

/** Metadata keys whose last value is the result: the filter updates the value with every frame. */
const LOUDNESS_KEYS = ['lavfi.r128.I', 'lavfi.r128.LRA'] as const;
const VOLUME_KEYS = ['lavfi.astats.Overall.RMS_level', 'lavfi.astats.Overall.Peak_level'] as const;
const FIELD_KEYS = ['progressive', 'tff', 'bff', 'undetermined'].map((kind) => `lavfi.idet.multiple.${kind}`);
const CROP_KEYS = ['w', 'h', 'x', 'y'].map((key) => `lavfi.cropdetect.${key}`);

/** The samples per frame. Longer frames keep the printed files small. */
const SAMPLES = 4800;

/** The samples per frame for the detection of silence: a frame is shorter than the shortest silence, also at 8 kHz. */
const silenceSamples = (minSeconds: number): number => Math.min(240, Math.floor(minSeconds * 8000));

/** The gain in dB before the true peak is measured. `ebur128` prints three decimals only, which is too imprecise for quiet audio. */
export const PEAK_GAIN_DB = 100;

/**
 * Sets the time base to microseconds. `metadata` prints an exact time only as a count of time bases and does not print the time base; its
 * seconds have only six digits.
 */
const MICROSECONDS = 'tb=AVTB';

/** Layouts that `ebur128` weighs. Audio keeps its layout. If its decoder (Speex, TAK) names none, it gets the usual one. */
const LAYOUTS = 'mono|stereo|2.1|3.0|4.0|quad|5.0|5.0(side)|5.1|5.1(side)|6.1|7.1';

/** The filter chain that measures the audio. */
export function audioChain(analysis: AnalysisSpec): string {
  const { measure, silentTail } = analysis;
  const has = (one: Measurement): boolean => measure.includes(one);
  const { noiseDb, minSeconds } = allSettings(analysis).silence;
  const print = (key: string): string => printOf('ametadata', key);
  return [
    // A separate filter: beside a sample format, ffmpeg does not choose a layout.
    ...(has('loudness') ? [`aformat=channel_layouts=${LAYOUTS}`] : []),
    `ametadata=${CLEAN}`,
    // Without this filter, ffmpeg may choose a sample format of 16 bits, which cuts off peaks above 0 dBFS.
    'aformat=sample_fmts=dbl',
    // Print the results before filters that split or join frames, which remove the metadata. `silencedetect` reports silence
    // only if all channels are silent.
    ...(has('silence')
      ? [
          ...(silentTail === undefined ? [] : [`apad=pad_dur=${silentTail}`]),
          `asetnsamples=n=${silenceSamples(minSeconds)}:p=0`,
          `silencedetect=noise=${noiseDb}dB:duration=${minSeconds}`,
          `asettb=${MICROSECONDS}`,
          ...['lavfi.silence_start', 'lavfi.silence_end'].map(print),
        ]
      : [`asettb=${MICROSECONDS}`]),
    `asetnsamples=n=${SAMPLES}:p=0`,
    ...(has('volume') ? ['astats=metadata=1:measure_perchannel=none', ...VOLUME_KEYS.map(print)] : []),
    ...(has('loudness') ? ['ebur128=metadata=1', ...LOUDNESS_KEYS.map(print)] : []),
    `ametadata=${MARK}`,
    // The mark of a frame gets the frame's end time, because the last frame is shorter than the others.
    'asetpts=PTS+NB_SAMPLES/SR/TB',
    markOf('ametadata', AUDIO_FRAMES),
    ...(has('loudness')
      ? [
          `volume=${PEAK_GAIN_DB}dB:precision=double`,
          // The metadata of a block is about the blocks before it, so the padding adds a block after the last one.
          'apad=pad_dur=0.2',
          'ebur128=metadata=1:peak=true',
          print('lavfi.r128.true_peak'),
        ]
      : []),
  ].join(',');
}

const markOf = (filter: 'metadata' | 'ametadata', file: string): string =>
  `${filter}=mode=print:key=${FRAME_MARK}:file=${printedFile(file)}`;

/** Makes frames tiny at the end of a chain, so that frames that wait in the muxer need little memory. */
const SHRINK = 'scale=w=16:h=16:flags=neighbor';

/**
 * The filter that finds duplicates. Its limits are the differences that two equal images may have, summed up in blocks of 8×8 pixels. They
 * fit an image that was encoded twice; ffmpeg's defaults are for cartoons.
 */
const DUPLICATE = 'mpdecimate=max=0:hi=256:lo=128:frac=0.02';

/** `metadata` compares rounded scores. The threshold is lower by this step, so that a score just above it is printed. */
const SCORE_STEP = 0.001;

/** The filter chain that measures the video without a reference. */
export function videoChain(analysis: AnalysisSpec): string {
  const { measure } = analysis;
  const has = (one: Measurement): boolean => measure.includes(one);
  const { black, freeze, scenes, crop } = allSettings(analysis);
  const { threshold } = scenes;
  const print = (key: string, more?: string): string => printOf('metadata', key, more);
  return [
    `metadata=${CLEAN}`,
    ...(has('black') ? [blackdetect(black)] : []),
    ...(has('freeze') ? [`freezedetect=noise=${freeze.noiseDb}dB:duration=${freeze.minSeconds}`] : []),
    ...(has('scenes') ? [`scdet=threshold=${threshold}`] : []),
    ...(has('crop') ? [`cropdetect=limit=${decimal(crop.limit)}:round=${crop.round}:reset=0`] : []),
    ...(has('interlacing') ? ['idet'] : []),
    // Change the time base after the filters with a minimum duration, because they compare times.
    `settb=${MICROSECONDS}`,
    ...(has('black') ? ['lavfi.black_start', 'lavfi.black_end'].map((key) => print(key)) : []),
    ...(has('freeze') ? ['start', 'duration'].map((key) => print(`lavfi.freezedetect.freeze_${key}`)) : []),
    ...(has('scenes')
      ? [
          print('lavfi.scd.time'),
          print('lavfi.scd.score', `:value=${decimal(threshold - SCORE_STEP)}:function=greater`),
        ]
      : []),
    ...(has('crop') ? CROP_KEYS.map((key) => print(key)) : []),
    ...(has('interlacing') ? FIELD_KEYS.map((key) => print(key)) : []),
    `metadata=${MARK}`,
    markOf('metadata', VIDEO_FRAMES),
    ...(has('duplicates') ? [DUPLICATE, markOf('metadata', 'distinct-frames')] : []),
    SHRINK,
  ].join(',');
}

const blackdetect = ({ minSeconds, share, pixel }: ReturnType<typeof allSettings>['black']): string =>
  `blackdetect=d=${minSeconds}:pic_th=${share}:pix_th=${pixel}`;

const decimal = (value: number): string => String(Number(value.toPrecision(6)));

/** The metadata keys that each comparison adds to frames. */
const COMPARED_KEYS: Readonly<Record<Exclude<Comparison, 'vmaf'>, readonly string[]>> = {
  psnr: ['lavfi.psnr.mse_avg', 'lavfi.psnr.psnr_avg'],
  ssim: ['lavfi.ssim.All'],
  xpsnr: ['lavfi.xpsnr.xpsnr.y', 'lavfi.xpsnr.xpsnr.u', 'lavfi.xpsnr.xpsnr.v'],
};

/** The filter chain that compares its first input with its second, the reference. */
export const comparingChain = (comparison: Comparison): string =>
  comparison === 'vmaf'
    ? `${VMAF_FILTER}=log_fmt=json:log_path=${VMAF_LOG}:shortest=1,${SHRINK}`
    : [
        `${comparison}=shortest=1`,
        `settb=${MICROSECONDS}`,
        ...COMPARED_KEYS[comparison].map((key) => printOf('metadata', key)),
        SHRINK,
      ].join(',');

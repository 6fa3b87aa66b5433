import {
  type AnalysisSettings,
  type AnalysisSpec,
  type Comparison,
  isComparison,
  type Measurement,
  measuredKind,
} from '../../../domain/analysis.ts';

/** Where ffmpeg writes what a filter found, in the scratch folder. */
export const printedFile = (name: string): string => `pass/${name}.txt`;

/** The log of libvmaf, which writes nothing into the metadata of frames. */
export const VMAF_LOG = 'pass/vmaf.json';

const PACKETS: ReadonlySet<Measurement> = new Set(['bitrate', 'keyframes']);

export const measuresSound = ({ measure }: AnalysisSpec): boolean =>
  measure.some((one) => measuredKind(one) === 'audio');
export const measuresPicture = ({ measure }: AnalysisSpec): boolean =>
  measure.some((one) => measuredKind(one) === 'video' && !isComparison(one) && !PACKETS.has(one));
export const measuresPackets = ({ measure }: AnalysisSpec): boolean => measure.some((one) => PACKETS.has(one));

export const measuresErrors = ({ measure }: AnalysisSpec): boolean => measure.includes('errors');

/** The filters that measurements need besides those that every build has. */
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
  ssim: 'ssim',
  xpsnr: 'xpsnr',
  vmaf: 'libvmaf',
};

/** The filter that a measurement needs. undefined if ffprobe measures it. */
export const filterOf = (measurement: Measurement): string | undefined => FILTER_OF[measurement];

/** The files with a mark for each frame. */
export const SOUND_FRAMES = 'sound-frames';
export const PICTURE_FRAMES = 'picture-frames';

/** The mark of each frame, so that frames without any result are counted too. */
export const FRAME_MARK = 'telecine';

/**
 * Removes the metadata of frames. Decoders copy tags of the file into it, and a line of a tag must not look like one of a
 * result.
 */
const CLEAN = 'mode=delete';
const MARK = `mode=add:key=${FRAME_MARK}:value=1`;

const print = (filter: 'metadata' | 'ametadata', key: string, more = ''): string =>
  `${filter}=mode=print:key=${key}${more}:file=${printedFile(key)}`;

/** Keys whose last value counts: ffmpeg adds up to it from frame to frame. */
const LOUDNESS_KEYS = ['lavfi.r128.I', 'lavfi.r128.LRA', 'lavfi.r128.true_peak'] as const;
const VOLUME_KEYS = ['lavfi.astats.Overall.RMS_level', 'lavfi.astats.Overall.Peak_level'] as const;
const FIELD_KEYS = ['progressive', 'tff', 'bff', 'undetermined'].map((kind) => `lavfi.idet.multiple.${kind}`);
const CROP_KEYS = ['w', 'h', 'x', 'y'].map((key) => `lavfi.cropdetect.${key}`);

/** Samples of a frame at most. Short frames make ends exact, and long ones make the files small. */
const SAMPLES = 4800;

/** Returns the chain that measures the sound. */
export function soundChain({ measure, settings = {} }: AnalysisSpec): string {
  const has = (one: Measurement): boolean => measure.includes(one);
  const { noiseDb = -60, minSeconds = 2 } = settings.silence ?? {};
  const keys = [
    ...(has('silence') ? ['lavfi.silence_start', 'lavfi.silence_end'] : []),
    ...(has('volume') ? VOLUME_KEYS : []),
    ...(has('loudness') ? LOUDNESS_KEYS : []),
  ];
  return [
    `ametadata=${CLEAN}`,
    // Mono detection: a silence is one of all channels together.
    ...(has('silence') ? [`silencedetect=noise=${noiseDb}dB:duration=${minSeconds}`] : []),
    `asetnsamples=n=${SAMPLES}:p=0`,
    ...(has('volume') ? ['astats=metadata=1:measure_perchannel=none'] : []),
    ...(has('loudness') ? ['ebur128=metadata=1:peak=true'] : []),
    ...keys.map((key) => print('ametadata', key)),
    `ametadata=${MARK}`,
    markOf('ametadata', SOUND_FRAMES),
  ].join(',');
}

const markOf = (filter: 'metadata' | 'ametadata', file: string): string =>
  `${filter}=mode=print:key=${FRAME_MARK}:file=${printedFile(file)}`;

/** Tiny pictures at the end of a chain: frames that wait in the muxer need hardly any memory then. */
const SHRINK = 'scale=w=16:h=16:flags=neighbor';

/**
 * How much two pictures may differ and count as one, in the units of `mpdecimate`: the sums of differences of blocks of
 * 8×8 pixels. These are what encoders make of one picture that is encoded twice; ffmpeg's own default is for cartoons.
 */
const DUPLICATE = 'mpdecimate=max=0:hi=256:lo=128:frac=0.02';

/** Returns the chain that measures the picture alone. */
export function pictureChain({ measure, settings = {} }: AnalysisSpec): string {
  const has = (one: Measurement): boolean => measure.includes(one);
  const { black = {}, freeze = {}, scenes = {}, crop = {} } = settings;
  const threshold = scenes.threshold ?? 10;
  return [
    `metadata=${CLEAN}`,
    ...(has('black') ? [blackdetect(black)] : []),
    ...(has('freeze') ? [`freezedetect=noise=${freeze.noiseDb ?? -60}dB:duration=${freeze.minSeconds ?? 2}`] : []),
    ...(has('scenes') ? [`scdet=threshold=${threshold}`] : []),
    ...(has('crop') ? [`cropdetect=limit=${decimal(crop.limit ?? 24 / 255)}:round=${crop.round ?? 2}:reset=0`] : []),
    ...(has('interlacing') ? ['idet'] : []),
    ...(has('black') ? ['lavfi.black_start', 'lavfi.black_end'].map((key) => print('metadata', key)) : []),
    ...(has('freeze')
      ? ['lavfi.freezedetect.freeze_start', 'lavfi.freezedetect.freeze_end'].map((key) => print('metadata', key))
      : []),
    ...(has('scenes') ? [print('metadata', 'lavfi.scd.score', `:value=${threshold}:function=greater`)] : []),
    ...(has('crop') ? CROP_KEYS.map((key) => print('metadata', key)) : []),
    ...(has('interlacing') ? FIELD_KEYS.map((key) => print('metadata', key)) : []),
    `metadata=${MARK}`,
    markOf('metadata', PICTURE_FRAMES),
    ...(has('duplicates') ? [DUPLICATE, markOf('metadata', 'distinct-frames')] : []),
    SHRINK,
  ].join(',');
}

const blackdetect = ({ minSeconds = 2, share = 0.98, pixel = 0.1 }: NonNullable<AnalysisSettings['black']>): string =>
  `blackdetect=d=${minSeconds}:pic_th=${share}:pix_th=${pixel}`;

const decimal = (value: number): string => String(Number(value.toPrecision(6)));

/** What a comparison writes: the keys of the metadata of each frame. */
const COMPARED_KEYS: Readonly<Record<Exclude<Comparison, 'vmaf'>, readonly string[]>> = {
  psnr: ['lavfi.psnr.mse_avg', 'lavfi.psnr.psnr_avg'],
  ssim: ['lavfi.ssim.All'],
  xpsnr: ['lavfi.xpsnr.xpsnr.y', 'lavfi.xpsnr.xpsnr.u', 'lavfi.xpsnr.xpsnr.v'],
};

/** Returns the chain that compares its first input with the second one, the reference. */
export const comparingChain = (comparison: Comparison): string =>
  comparison === 'vmaf'
    ? `libvmaf=log_fmt=json:log_path=${VMAF_LOG}:shortest=1,${SHRINK}`
    : [`${comparison}=shortest=1`, ...COMPARED_KEYS[comparison].map((key) => print('metadata', key)), SHRINK].join(',');

import {
  type AnalysisSpec,
  allSettings,
  type Comparison,
  isComparison,
  MEASUREMENTS,
  type Measurement,
  measuredKind,
} from '@telecine/contract/domain/analysis.ts';

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

/** The filters that measurements need, except those that every build has. */
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

/** Which measurements a build with these filters can do. */
export const measurable = (filters: { has(name: string): boolean }): readonly Measurement[] =>
  MEASUREMENTS.filter((one) => filters.has(FILTER_OF[one] ?? '') || FILTER_OF[one] === undefined);

/** The files with a mark for each frame. */
export const SOUND_FRAMES = 'sound-frames';
export const PICTURE_FRAMES = 'picture-frames';

/** The mark of each frame, so that frames without any result are counted too. */
const FRAME_MARK = 'telecine';

/** Removes the metadata of frames: decoders copy tags of the file into it, which could look like lines of results. */
const CLEAN = 'mode=delete';
const MARK = `mode=add:key=${FRAME_MARK}:value=1`;

const printOf = (filter: 'metadata' | 'ametadata', key: string, more = ''): string =>
  `${filter}=mode=print:key=${key}${more}:file=${printedFile(key)}`;

/** Keys whose last value counts: ffmpeg adds it up from frame to frame. */
const LOUDNESS_KEYS = ['lavfi.r128.I', 'lavfi.r128.LRA'] as const;
const VOLUME_KEYS = ['lavfi.astats.Overall.RMS_level', 'lavfi.astats.Overall.Peak_level'] as const;
const FIELD_KEYS = ['progressive', 'tff', 'bff', 'undetermined'].map((kind) => `lavfi.idet.multiple.${kind}`);
const CROP_KEYS = ['w', 'h', 'x', 'y'].map((key) => `lavfi.cropdetect.${key}`);

/** Samples of a frame at most, so that the files are small. */
const SAMPLES = 4800;

/** Samples of a frame for the search for silence: shorter than the shortest silence, also at 8 kHz. */
const silenceSamples = (minSeconds: number): number => Math.min(240, Math.floor(minSeconds * 8000));

/** The gain before the true peak is measured: `ebur128` prints three decimals, which are too few for quiet audio. */
export const PEAK_GAIN_DB = 100;

/** Times in microseconds: `metadata` prints other units exactly too, but does not name them, and seconds with six digits. */
const MICROSECONDS = 'tb=AVTB';

/** Returns the chain that measures the audio. */
export function soundChain(analysis: AnalysisSpec): string {
  const { measure, silentTail } = analysis;
  const has = (one: Measurement): boolean => measure.includes(one);
  const { noiseDb, minSeconds } = allSettings(analysis).silence;
  const print = (key: string): string => printOf('ametadata', key);
  return [
    `ametadata=${CLEAN}`,
    // Otherwise ffmpeg chooses a format by the other filters, and 16 bits cut off peaks above 0 dBFS.
    'aformat=sample_fmts=dbl',
    // Blocks that are cut or joined lose their metadata, so it is printed before. Mono detection: a silence is one of all channels.
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
    // The mark of a frame has the time of its end: the last one is shorter than the others.
    'asetpts=PTS+NB_SAMPLES/SR/TB',
    markOf('ametadata', SOUND_FRAMES),
    ...(has('loudness')
      ? [
          `volume=${PEAK_GAIN_DB}dB:precision=double`,
          // The metadata of a block is about the blocks before it, so a block follows the last one.
          'apad=pad_dur=0.2',
          'ebur128=metadata=1:peak=true',
          print('lavfi.r128.true_peak'),
        ]
      : []),
  ].join(',');
}

const markOf = (filter: 'metadata' | 'ametadata', file: string): string =>
  `${filter}=mode=print:key=${FRAME_MARK}:file=${printedFile(file)}`;

/** Tiny frames at the end of a chain: frames that wait in the muxer then need hardly any memory. */
const SHRINK = 'scale=w=16:h=16:flags=neighbor';

/**
 * How much two equal images may differ, in the units of `mpdecimate` (sums of differences of blocks of 8×8 pixels). The
 * values are what encoders make of one image that is encoded twice. The default of ffmpeg is for cartoons.
 */
const DUPLICATE = 'mpdecimate=max=0:hi=256:lo=128:frac=0.02';

/** `metadata` compares the printed scores: a score above the threshold may be rounded to it. */
const SCORE_STEP = 0.001;

/** Returns the chain that measures the video alone. */
export function pictureChain(analysis: AnalysisSpec): string {
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
    // Behind the filters that compare times with a shortest one.
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
    markOf('metadata', PICTURE_FRAMES),
    ...(has('duplicates') ? [DUPLICATE, markOf('metadata', 'distinct-frames')] : []),
    SHRINK,
  ].join(',');
}

const blackdetect = ({ minSeconds, share, pixel }: ReturnType<typeof allSettings>['black']): string =>
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
    : [
        `${comparison}=shortest=1`,
        `settb=${MICROSECONDS}`,
        ...COMPARED_KEYS[comparison].map((key) => printOf('metadata', key)),
        SHRINK,
      ].join(',');

import { type AnalysisSpec, type Comparison, isComparison, MEASUREMENTS } from '@telecine/contract/domain/analysis.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { PathScope } from '@telecine/contract/domain/media-root.ts';
import type { Plan, PlannedInput } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { parseInputPath } from '@telecine/contract/domain/url-input.ts';
import { LEAD_SECONDS } from '../../allowlist/containers.ts';
import { drawingError, INPUT_FORMATS } from '../../allowlist/input-formats.ts';
import { releaseOrder } from '../../catalogue/build.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { reasonWithoutFilter } from '../../catalogue/changed-catalogue.ts';
import { decodingArgv, NULL_OUTPUT, partsOfBuild } from '../argv.ts';
import { serviceOption } from '../request/argv-option.ts';
import { type ArgvInput, suffixOf } from '../request/resolve-inputs.ts';
import { audioChain, comparingChain, filterOf, measuresAudio, measuresVideo, videoChain } from './measuring-filters.ts';

export type AnalysisRequest = ConversionRequest & { readonly analysis: AnalysisSpec };

export const isAnalysis = (request: ConversionRequest): request is AnalysisRequest => request.analysis !== undefined;

interface AnalysisFacts {
  readonly scope: PathScope;
  readonly policy?: ClientLimits;
  readonly cores?: number;
}

/** Plans an analysis for the newest build that has all filters. Pure. There must be at least one catalogue. */
export function planAnalysis(request: AnalysisRequest, catalogues: readonly Catalogue[], facts: AnalysisFacts) {
  const { analysis } = request;
  const filters = [...new Set(analysis.measure.flatMap((one) => filterOf(one) ?? []))];
  const lacks = ({ lists }: Catalogue): readonly string[] => filters.filter((name) => !lists.filters.has(name));
  const able = catalogues.filter((one) => lacks(one).length === 0);
  const [newest] = (able.length > 0 ? able : catalogues).toSorted((a, b) => releaseOrder(b.build, a.build));
  if (newest === undefined) throw new Error('There is no build to plan for.');
  const errors = [
    ...referenceErrors(analysis),
    ...unusedSettings(analysis),
    ...unusedAudio(analysis),
    ...missingFilters(analysis, lacks(newest), newest),
  ];
  const inputs = [
    readInput(request.input ?? '', '/input', 0, facts.scope, errors),
    ...(analysis.reference === undefined ? [] : [readInput(analysis.reference, '/reference', 1, facts.scope, errors)]),
  ].filter((input) => input !== undefined);
  if (errors.length > 0) return { ok: false as const, errors };
  const missing = new Set(catalogues.flatMap(lacks));
  return {
    ok: true as const,
    plan: buildPlan(analysis, inputs, newest, facts),
    needs: [...missing].sort().map((name) => `filter:${name}`),
  };
}

const unusedAudio = (analysis: AnalysisSpec): FieldError[] =>
  analysis.audio === undefined || measuresAudio(analysis)
    ? []
    : [
        {
          field: '/audio',
          code: 'NO_EFFECT',
          message:
            'Nothing in "measure" measures the audio stream that "audio" chooses: "loudness", "volume" and "silence" do.',
        },
      ];

const unusedSettings = ({ measure, settings = {} }: AnalysisSpec): FieldError[] =>
  MEASUREMENTS.filter((one) => Object.hasOwn(settings, one) && !measure.includes(one)).map((one) => ({
    field: `/settings/${one}`,
    code: 'NO_EFFECT',
    message: `"settings.${one}" is for "${one}", which "measure" does not name.`,
  }));

function referenceErrors({ measure, reference }: AnalysisSpec): FieldError[] {
  const comparing = measure.findIndex(isComparison);
  if (comparing >= 0 && reference === undefined)
    return [
      {
        field: '/reference',
        code: 'MISSING',
        message: `"${measure[comparing]}" compares the input with another file, but "reference" is missing.`,
      },
    ];
  if (comparing < 0 && reference !== undefined)
    return [
      {
        field: '/reference',
        code: 'NO_EFFECT',
        message: 'Nothing in "measure" compares the input with "reference": "psnr", "ssim", "xpsnr" and "vmaf" do.',
      },
    ];
  return [];
}

function missingFilters({ measure }: AnalysisSpec, lacked: readonly string[], catalogue: Catalogue): FieldError[] {
  const able = measure.filter((one) => !lacked.includes(filterOf(one) ?? ''));
  const rest = able.length === 0 ? '' : ` It can measure ${able.map((one) => `"${one}"`).join(', ')}.`;
  return measure.flatMap((one, index) => {
    const filter = filterOf(one);
    if (filter === undefined || !lacked.includes(filter)) return [];
    return {
      field: `/measure/${index}`,
      code: 'UNKNOWN_FILTER',
      message: `The installed ffmpeg cannot measure "${one}": ${reasonWithoutFilter(catalogue, filter)}.${rest}`,
    };
  });
}

function readInput(
  text: string,
  field: string,
  index: number,
  scope: PathScope,
  errors: FieldError[],
): PlannedInput | undefined {
  const { path, url } = parseInputPath(text, scope);
  const error = typeof path === 'string' ? drawingError(extension(path)) : path;
  if (error !== undefined || typeof path !== 'string') {
    if (error !== undefined) errors.push({ field, ...error });
    return undefined;
  }
  return { logical: `in/${index}${suffixOf(path)}`, path, field, ...(url !== undefined && { url }) };
}

function buildPlan(
  analysis: AnalysisSpec,
  inputs: readonly PlannedInput[],
  catalogue: Catalogue,
  { policy = {}, cores = 0 }: AnalysisFacts,
): Plan {
  const start = Number(analysis.ss ?? 0);
  const trim = [
    ...(start === 0 ? [] : Object.entries(seekTo(start)).map(([name, value]) => serviceOption(name, [value]))),
    ...(analysis.t === undefined ? [] : [serviceOption('t', [analysis.t])]),
  ];
  const opened = inputs.map((source): ArgvInput => ({ source, options: trim }));
  const parts = {
    inputs: opened,
    ...partsOfBuild(catalogue, policy, cores),
  };
  const comparisons = analysis.measure.filter(isComparison);
  const decodes = measuresAudio(analysis) || measuresVideo(analysis) || comparisons.length > 0;
  return {
    inputs,
    outputs: [],
    passes: decodes ? [decodingArgv(parts, outputArgs(analysis, comparisons))] : [],
    analysis: {
      ...analysis,
      packets: packetsArgv(inputs[0]?.logical ?? '', analysis),
      frames: framesArgv(inputs[0]?.logical ?? '', analysis),
    },
    warnings: [],
  };
}

/** ffmpeg reads from before the part, and drops the frames before time 0: a seek in MPEG-TS may find only a later key frame. */
function seekTo(start: number): Readonly<Record<'ss' | 'itsoffset', string>> {
  const lead = Math.min(LEAD_SECONDS, start);
  return { ss: `${start - lead}`, itsoffset: `${-lead}` };
}

/** Times in Matroska are rounded to milliseconds, so a frame may be that much before its time. */
const ROUNDED_SECONDS = 0.001;

/**
 * The passes of a comparison of a part, in which the reference starts at the same frame as the input. `delay`: how many seconds more of the
 * reference than of the input are before its first frame.
 */
export function alignReference({ passes, analysis }: Pick<Plan, 'passes' | 'analysis'>, delay: number): Plan['passes'] {
  const seek = seekTo(Math.max(0, Number(analysis?.ss ?? 0) + delay - ROUNDED_SECONDS));
  return passes.map((argv) => {
    const [ss, itsoffset] = [argv.lastIndexOf('-ss'), argv.lastIndexOf('-itsoffset')];
    return argv.with(ss + 1, seek.ss).with(itsoffset + 1, seek.itsoffset);
  });
}

/** The filters and maps of the run that decodes the inputs and discards the frames. */
function outputArgs(analysis: AnalysisSpec, comparisons: readonly Comparison[]): readonly string[] {
  const graph: string[] = [];
  const ends: string[] = [];
  const readers: readonly { readonly chain: string; readonly original: string; readonly align?: string }[] = [
    ...(measuresVideo(analysis) ? [{ chain: videoChain(analysis), original: '' }] : []),
    ...comparisons.map((one, index) => ({
      chain: comparingChain(one),
      original: `[r${index}]`,
      align: alignment(one),
    })),
  ];
  if (readers.length > 0)
    graph.push(`[0:V:0]split=${readers.length}${readers.map((_one, index) => `[v${index}]`).join('')}`);
  if (comparisons.length > 0) {
    const copies = comparisons.map((_one, index) => `[q${index}]`).join('');
    graph.push(`[1:V:0]split=${comparisons.length}${copies}`);
    graph.push(...comparisons.map((one, index) => `[q${index}]${alignment(one)}[r${index}]`));
  }
  for (const [index, { chain, original, align }] of readers.entries()) {
    if (align === undefined) graph.push(`[v${index}]${chain}[o${index}]`);
    else graph.push(`[v${index}]${align}[i${index}]`, `[i${index}]${original}${chain}[o${index}]`);
    ends.push(`[o${index}]`);
  }
  if (measuresAudio(analysis)) {
    graph.push(`[0:a:${analysis.audio ?? 0}]${audioChain(analysis)}[s]`);
    ends.push('[s]');
  }
  return [
    ...['-filter_complex', graph.join(';')],
    ...ends.flatMap((label) => ['-map', label]),
    ...unmeasured(analysis),
    ...['-fps_mode', 'passthrough', ...NULL_OUTPUT],
  ];
}

/**
 * The arguments that also map the kind of stream that is not measured, as a copy that is discarded. Without this map, ffmpeg counts the
 * times of MPEG-TS, MPEG-PS and Ogg from the first decoded frame, which can be later than the start of the file.
 */
function unmeasured(analysis: AnalysisSpec): readonly string[] {
  const [needsAudio, needsImages] = [measuresAudio(analysis), measuresVideo(analysis)];
  if (needsAudio === needsImages) return [];
  return needsAudio ? ['-map', '0:V:0?', '-c:v', 'copy'] : ['-map', '0:a:0?', '-c:a', 'copy'];
}

/**
 * The filters that align the times of two inputs. Not `setpts` for `xpsnr`: in ffmpeg 7, it removes the frame rate, and `xpsnr` crashes.
 */
const alignment = (comparison: Comparison): string =>
  comparison === 'xpsnr' ? 'settb=AVTB' : 'settb=AVTB,setpts=PTS-STARTPTS';

/**
 * The arguments of ffprobe for the measured part and the listed fields. ffprobe starts at the packet before `ss`, and counts `t` from there
 * or from the start of the file. Reading to `ss` plus `t` is enough in both cases.
 */
function listing(logical: string, { ss, t }: AnalysisSpec, entries: readonly string[]): readonly string[] {
  const end = t === undefined ? '' : `+${Number(ss ?? 0) + Number(t)}`;
  return [
    ...(ss === undefined && t === undefined ? [] : ['-read_intervals', `${ss ?? ''}%${end}`]),
    ...['-show_entries', entries.join(':')],
    ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS, '-i', `file:${logical}`],
  ];
}

const headOf = (level: 'error' | 'warning', format: string): readonly string[] => [
  ...['-hide_banner', '-loglevel', `level+${level}`, '-of', format],
];
const FORMAT = 'format=format_name,start_time,duration';

/** The arguments of ffprobe that list the starts of the first video and of the file. */
export const startsArgv = (logical: string): readonly string[] => [
  ...[...headOf('error', 'csv=p=1'), '-select_streams', 'V:0'],
  ...listing(logical, { measure: [] }, ['stream=start_time', 'format=start_time']),
];

/** Lists numbers and flags of the packets: the output has no text from the file. */
const packetsArgv = (logical: string, analysis: AnalysisSpec): readonly string[] => [
  ...headOf('error', 'csv=p=1'),
  ...listing(logical, analysis, [
    'packet=stream_index,pts_time,dts_time,duration_time,size,flags',
    'stream=index,codec_type',
    'stream_disposition=attached_pic',
    FORMAT,
  ]),
];

/**
 * Lists the times of all packets and frames, and the decoder's messages about each frame. `compact` escapes line feeds and separators, so
 * that text from the file cannot look like another line. With `show_log`, ffprobe decodes in one thread, so that a message belongs to the
 * next frame. The log level is "warning", because lost parts of packets are warnings.
 */
const framesArgv = (logical: string, analysis: AnalysisSpec): readonly string[] => [
  ...[...headOf('warning', 'compact'), '-show_packets', '-show_frames', '-show_log', '16'],
  ...listing(logical, analysis, [
    'packet=stream_index,pts_time,dts_time,duration_time,pos,flags',
    'frame=stream_index,pts_time,best_effort_timestamp_time',
    'log=level',
    'stream=index,codec_type',
    'stream_disposition=attached_pic',
    FORMAT,
  ]),
];

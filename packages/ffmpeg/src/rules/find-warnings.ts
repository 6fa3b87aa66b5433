import { defined } from '@telecine/contract/domain/defined.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import { joinFindings, type OutputElement } from '@telecine/contract/domain/output-findings.ts';
import type { OutputPlan, Plan, PlannedOutput, Warning } from '@telecine/contract/domain/plan.ts';
import { pointerKey } from '@telecine/contract/domain/problem.ts';
import { isLengthEstimated } from '../allowlist/containers.ts';
import { storedTagOf } from '../allowlist/stored-tags.ts';
import type { InputReport } from '../log/report.ts';
import type { FrameTraits } from '../log/stream-line.ts';
import { toJobOutput } from '../probe/probe-clip.ts';
import { MediaFacts, placed } from './facts/media-facts.ts';
import type { ComparedPass, FinishedPass } from './facts/pass.ts';
import type { FaultGuard, Finding, RequestContext } from './rule.ts';
import { rowsOf } from './table.ts';

const REQUEST_ROWS = rowsOf('plan');
const RESULT_ROWS = rowsOf('result');

type Rows<Context> = readonly Readonly<{ id: string; find: (context: Context) => readonly Finding[] }>[];

/** Returns the findings of rows, in their order. A row that throws finds nothing, and `guard` reports it. */
const findingsOf = <Context>(rows: Rows<Context>, context: Context, guard: FaultGuard): readonly Finding[] =>
  rows.flatMap(({ id, find }) => guard(() => find(context), []).map((one) => ({ ...one, rule: id })));

/** Returns the warnings about a request for one output: those of the rows, and `others` about its values. */
export const requestWarnings = (
  context: RequestContext,
  others: readonly Warning[],
  guard: FaultGuard,
): readonly Warning[] => [...findingsOf(REQUEST_ROWS, context, guard), ...others];

/** Returns what a finished run lacks of its sources and its request, except for what the plan said already. Pure. */
export function resultWarnings(pass: FinishedPass, guard: FaultGuard): readonly Warning[] {
  const { plan } = pass;
  const facts = new MediaFacts(plan, pass.inputs, pass.used);
  const isKnown = ({ code, rule, field = '' }: Warning): boolean =>
    plan.warnings.some(
      (one) =>
        one.code === code &&
        one.field === (field === '/output' ? plan.output.field : field) &&
        (one.rule ?? rule) === rule,
    );
  return findingsOf(RESULT_ROWS, { facts, pass }, guard)
    .flatMap((one) => guard(() => [placed(facts, one)], []))
    .filter((one) => !isKnown(one));
}

/** An output as it is predicted from its request and a probe of its inputs. */
export interface ForeseenOutput {
  /** In seconds. 0: nothing of the inputs remains, such as with `ss` after their end. undefined: a filter changes the length. */
  readonly seconds?: number;
  readonly streams: readonly ForeseenStream[];
}

export interface ForeseenStream {
  readonly kind: 'video' | 'audio';
  readonly encoder: string;
  /** The input stream that becomes this output stream. undefined: a filtergraph combines several input streams. */
  readonly source?: { readonly input: number; readonly stream: number };
  /** The size of an encoded frame in pixels, and the frame rate. */
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
}

/** The codes of findings with which a job fails. */
const FAILING = ['FFMPEG_FAILED', 'UNSUPPORTED', 'INPUT_INVALID'] as const;

const failureCodeOf = ({ code }: Finding) => FAILING.find((one) => one === code);

/** The only row that holds for a cut whose parts are not known yet. */
const OF_CUTS = 'key-frame-cuts';

/**
 * Compares a predicted result with its sources, as `resultWarnings` does with the real one after the run. Pure.
 *
 * @param media What ffprobe found in each input.
 * @param output undefined if the output is not known.
 */
export function foreseenWarnings(
  plan: OutputPlan,
  media: readonly MediaInfo[],
  output: ForeseenOutput | undefined,
  guard: FaultGuard,
): readonly Warning[] {
  // With `leftOut`, the probe does not list all streams of the file, and the request may use a stream that is not listed.
  if (media.some(({ leftOut }) => (leftOut?.streams ?? 0) > 0)) return [];
  const pass = foreseenPass(plan, media.map(reportOf), output);
  const facts = new MediaFacts(plan, pass.inputs, pass.used);
  const isCut = plan.cut?.isAssumed === true || plan.cut?.mode === 'copy';
  const rows = isCut ? RESULT_ROWS.filter(({ id }) => id === OF_CUTS) : RESULT_ROWS;
  const found = findingsOf(rows, { facts, pass }, guard);
  const failing = found.find(failureCodeOf);
  const shown = failing === undefined ? found : [{ ...failing, message: `${failing.message} The job would fail.` }];
  return shown.flatMap((one) => guard(() => [placed(facts, one)], []));
}

/** The rules whose findings fail a run, whatever it wrote. */
const EXPLAINING: ReadonlySet<string> = new Set(['failing-streams', 'outside-input']);

/**
 * Finds why a run failed by comparing its request with its sources: what a dry run would have foreseen, in the same words. Pure.
 *
 * @param rules The ids of rules that explain this run, besides those that explain any failure.
 * @returns undefined if only the log of the run says it.
 */
export function comparedFailure(
  { plan, inputs, used, outputStreams }: Pick<ComparedPass, 'inputs' | 'used' | 'outputStreams'> & { plan: OutputPlan },
  rules: readonly string[],
  guard: FaultGuard,
): Failure | undefined {
  // If an input is missing, ffmpeg failed while it opened that input.
  if (inputs.length < (plan.passes.at(-1) ?? []).filter((word) => word === '-i').length) return undefined;
  const pass = { plan, inputs, used, outputStreams, outputTraits: new Map(), writtenSeconds: undefined };
  const facts = new MediaFacts(plan, inputs, used);
  const rows = RESULT_ROWS.filter(({ id }) => EXPLAINING.has(id) || rules.includes(id));
  const found = findingsOf(rows, { facts, pass }, guard);
  return found.flatMap((one) => {
    const code = failureCodeOf(one);
    const { message, fix, absent } = one;
    return code === undefined ? [] : [{ ...defined({ fix, about: absent && { absent } }), code, message }];
  })[0];
}

/** Converts what ffprobe found in an input to the report that ffmpeg would give. */
function reportOf(media: MediaInfo): InputReport {
  const { format, chapters, streams } = media;
  const byStream = <T>(read: (stream: MediaStream) => T | undefined): ReadonlyMap<number, T> =>
    new Map(
      streams.flatMap((stream) => {
        const value = read(stream);
        return value === undefined ? [] : [[stream.index, value] as const];
      }),
    );
  // The tags of Ogg files are those of their stream.
  const ofFile = format.names.includes('ogg') ? streams[0]?.tags : format.tags;
  const tags = Object.keys(ofFile ?? {}).flatMap((name) => storedTagOf(name) ?? []);
  return {
    demuxer: format.names.join(','),
    // An estimated length must not say that a time is after the end.
    ...(format.durationSeconds !== undefined &&
      !isLengthEstimated(format) && { durationSeconds: format.durationSeconds }),
    streams: toJobOutput(media).streams ?? [],
    ...(chapters.length > 0 && { chapters: chapters.length }),
    ...(tags.length > 0 && { tags }),
    rotations: byStream(({ rotationDegrees }) => rotationDegrees),
    transfers: byStream(({ colorTransfer = '' }) =>
      /^(?:smpte2084|arib-std-b67)$/.test(colorTransfer) ? colorTransfer : undefined,
    ),
    traits: byStream(traitsOf),
    streamSeconds: byStream(({ durationSeconds, startSeconds = 0 }) =>
      durationSeconds === undefined ? undefined : durationSeconds + startSeconds - (format.startSeconds ?? 0),
    ),
  };
}

function foreseenPass(
  plan: OutputPlan,
  inputs: readonly InputReport[],
  { streams = [], seconds }: Partial<ForeseenOutput> = {},
): ComparedPass {
  const read = streams.flatMap(({ source, encoder }, index) =>
    source === undefined ? [] : [{ ...source, copied: encoder === 'copy', output: index }],
  );
  const facts = new MediaFacts(plan, inputs, read);
  const outputStreams = streams.map(({ kind, encoder, source, width, height, fps }, index): OutputStream => {
    const from = source && facts.inputStream(source.input, source.stream);
    return {
      index,
      type: kind,
      codec: encoder === 'copy' ? (from?.codec ?? '') : encoder,
      ...(from?.disposition && { disposition: from.disposition }),
      ...(width !== undefined && height !== undefined && { width, height }),
      ...(fps !== undefined && { fps }),
    };
  });
  return {
    plan,
    inputs,
    used: read.length === streams.length && streams.length > 0 ? read : [...read, ...readByGraphs(facts)],
    outputStreams,
    outputTraits: new Map(),
    writtenSeconds: seconds,
  };
}

/** The input streams that complex filtergraphs read by a label, such as `[1:a]`. */
const readByGraphs = (facts: MediaFacts): ComparedPass['used'] =>
  facts.complexGraphs
    .flatMap(({ filters }) => filters.flatMap(({ inputs }) => inputs))
    .flatMap((label) => {
      const { input = 0, streams: [stream] = [] } = facts.selected(label) ?? {};
      return stream === undefined ? [] : [{ input, stream: stream.index, copied: false }];
    });

/** The pixel aspect ratio of a stream, if ffprobe reports it. */
function traitsOf({ sampleAspectRatio }: MediaStream): FrameTraits | undefined {
  const [width = 0, height = 0] = (sampleAspectRatio ?? '').split(':').map(Number);
  return width > 0 && height > 0 ? { pixelAspect: width / height } : undefined;
}

/** Joins the warnings about the outputs of a run. `found`: a list for each output, in the order of the plan. */
export const warningsOfRun = ({ outputs }: Plan, found: readonly (readonly Warning[])[]): readonly Warning[] =>
  outputs.some(({ field }) => field === '/output') ? found.flat() : joinFindings(outputs.map(elementOf), found);

function elementOf({ field, fields = {}, path }: PlannedOutput): OutputElement {
  const pointer = field.replace(/\/output$/, '');
  const start = `${pointer}/parameters/`;
  const own = Object.values(fields).filter((one) => one.startsWith(start));
  return { pointer, path, hasFormat: false, names: new Set(own.map((one) => pointerKey(one.slice(start.length)))) };
}

import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { OutputStream } from '@telecine/contract/domain/job.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import type { OutputPlan, Warning } from '@telecine/contract/domain/plan.ts';
import { muxerRejectsCodec } from '../allowlist/container-codecs.ts';
import { isLengthEstimated } from '../allowlist/containers.ts';
import type { InputReport } from '../log/report.ts';
import type { FrameTraits } from '../log/stream-line.ts';
import { toJobOutput } from '../probe/probe-clip.ts';
import type { ForeseenContext } from './contexts.ts';
import type { ForeseenPass } from './facts/finished-pass.ts';
import { isImageSubtitle } from './facts/image-subtitles.ts';
import { KINDS, type Kind, letterOf, MediaFacts, placed } from './facts/media-facts.ts';
import { readOptionFacts } from './facts/option-facts.ts';
import { filtersIn } from './facts/placed-filter.ts';
import { absentLabel, absentMap } from './failures/absent-streams.ts';
import { absentVariants, unmappedSets } from './failures/absent-variants.ts';
import { differentInputs, joinsDifferentInputs, joinsDifferentRates } from './failures/different-inputs.ts';
import { codecNotHeld, encoderOfOtherKind, streamsNotHeld } from './failures/encoders.ts';
import { lackingStreams } from './failures/joined-inputs.ts';
import { explainNothingWritten } from './failures/nothing-written.ts';
import { kindOfFormat, noStreamForFormat, severalStreamsForFormat } from './failures/output-formats.ts';
import { otherKindOfSubtitles, subtitlesOfOtherFormat } from './failures/subtitles.ts';
import { RULE_SETS } from './rule-sets.ts';
import type { FaultGuard } from './rules.ts';
import { croppedBeyond } from './video/bounds.ts';

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
  readonly seconds?: number;
}

/**
 * Warns about what would certainly happen in a run with these inputs: the run fails, or ffmpeg ignores an input. After the run, the same
 * rules check the real result. Pure.
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
  // A used stream without `output` goes into a complex filtergraph. Which output stream it becomes is unknown before the run.
  const isDirect = pass.outputStreams.length > 0 && pass.used.every((one) => one.output !== undefined);
  const written = output?.seconds === undefined ? undefined : { seconds: output.seconds };
  const facts = new MediaFacts(plan, pass.inputs, isDirect ? pass.used : [], written);
  const isEstimated = media.some(({ format }) => isLengthEstimated(format));
  const failure =
    failureOf(facts) ??
    (isDirect ? failureOfStreams(facts) : undefined) ??
    (output !== undefined && !isEstimated ? failureOfLength(facts, output) : undefined);
  if (failure !== undefined) return [failureWarning(failure, failure.code, 'The job would fail.')];
  // ffmpeg 5 may never finish a `concat` of different frame rates. Which release the worker has is unknown here.
  const endless = joinsDifferentRates(facts) ? differentInputs(facts) : undefined;
  if (endless !== undefined) return [failureWarning(endless, 'ENDLESS', 'With ffmpeg 5, the job may not end.')];
  const context: ForeseenContext = {
    facts,
    pass,
    options: readOptionFacts(facts.argv),
    isDirect,
    uncertain: new Set(plan.inputs.filter((_one, index) => hasOtherStreams(media[index])).map(({ field }) => field)),
  };
  const filterRules = RULE_SETS[isEstimated ? 'roughFilters' : 'filters'];
  const found = [
    ...RULE_SETS.streams.find(context, guard),
    ...(output === undefined ? [] : filterRules.find({ facts }, guard)),
    ...(output === undefined ? [] : RULE_SETS.files.find({ ...context, facts: facts.withUsed(pass.used) }, guard)),
  ];
  return found.map((one) => placed(facts, one));
}

/** Makes a warning of a failure. Drops a fix that is a list: it asks for an operation on the job (a retry), which does not exist yet. */
const failureWarning = ({ message, fix, about }: Failure, code: string, effect: string): Warning => ({
  code,
  message: `${message} ${effect}`,
  ...(about?.absent && { absent: about.absent }),
  ...(fix !== undefined && !Array.isArray(fix) && { fix }),
});

/** Warns about a `cut` before its run, when the parts that it keeps are not measured yet. Fewer rules apply than to other requests. */
export function foreseenCutWarnings(plan: OutputPlan, media: readonly MediaInfo[], guard: FaultGuard) {
  const pass = foreseenPass(plan, media.map(reportOf), undefined);
  const facts = new MediaFacts(plan, pass.inputs, []);
  return RULE_SETS.cut.find({ facts, pass }, guard).map((one) => placed(facts, one));
}

/** Converts what ffprobe found in an input to the report that ffmpeg would give. */
function reportOf(media: MediaInfo): InputReport {
  const { format, chapters, streams } = media;
  const byStream = (read: (stream: MediaStream) => number | undefined): ReadonlyMap<number, number> =>
    new Map(
      streams.flatMap((stream) => {
        const value = read(stream);
        return value === undefined ? [] : [[stream.index, value]];
      }),
    );
  return {
    demuxer: format.names.join(','),
    ...(format.durationSeconds !== undefined && { durationSeconds: format.durationSeconds }),
    streams: toJobOutput(media).streams ?? [],
    ...(chapters.length > 0 && { chapters: chapters.length }),
    rotations: byStream(({ rotationDegrees }) => rotationDegrees),
    traits: new Map(streams.map((stream) => [stream.index, traitsOf(stream)])),
    streamSeconds: byStream(({ durationSeconds, startSeconds = 0 }) =>
      durationSeconds === undefined ? undefined : durationSeconds + startSeconds - (format.startSeconds ?? 0),
    ),
  };
}

function foreseenPass(
  plan: OutputPlan,
  inputs: readonly InputReport[],
  { streams = [], seconds }: Partial<ForeseenOutput> = {},
): ForeseenPass {
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
  const video = streams.find(({ kind }) => kind === 'video');
  const frames = Math.round((video?.seconds ?? Number.NaN) * (video?.fps ?? 0));
  return {
    plan,
    inputs,
    used: read.length === streams.length ? read : [...read, ...readByGraphs(facts)],
    outputStreams,
    outputTraits: new Map(),
    lastBlock: Number.isFinite(frames) ? { frame: Math.max(1, frames), ended: true } : undefined,
    writtenSeconds: seconds,
  };
}

/** The input streams that complex filtergraphs read by a label, such as `[1:a]`. */
const readByGraphs = (facts: MediaFacts): ForeseenPass['used'] =>
  facts.complexGraphs
    .flatMap(({ filters }) => filters.flatMap(({ inputs }) => inputs))
    .flatMap((label) => {
      const { input = 0, streams: [stream] = [] } = facts.selected(label) ?? {};
      return stream === undefined ? [] : [{ input, stream: stream.index, copied: false }];
    });

/** From this relative difference of average and base frame rate (`r_frame_rate`) on, it is unclear which rate ffmpeg uses. */
const STEADY = 0.1;

/** The pixel aspect ratio and the frame rate of a stream, if ffprobe reports them. */
function traitsOf({ sampleAspectRatio, frameRate = 0, baseFrameRate = frameRate }: MediaStream): FrameTraits {
  const [width = 0, height = 0] = (sampleAspectRatio ?? '').split(':').map(Number);
  const isSteady = frameRate > 0 && Math.abs(frameRate / baseFrameRate - 1) < STEADY;
  return {
    ...(width > 0 && height > 0 && { pixelAspect: width / height }),
    ...(isSteady && { baseRate: baseFrameRate }),
  };
}

/** True if an input may have streams other than video and audio. Which of these streams ffmpeg will use is unknown. */
const hasOtherStreams = (media: MediaInfo | undefined): boolean =>
  media?.streams.every(({ type }) => type === 'video' || type === 'audio') !== true || media.leftOut !== undefined;

/** Explains why the run will fail because of streams that the request selects, joins or crops. */
function failureOf(facts: MediaFacts): Failure | undefined {
  const maps = facts.argumentsOf('map');
  const absent = maps.find((map) => !map.endsWith('?') && facts.selected(map)?.streams?.length === 0);
  if (absent !== undefined) return absentMap(facts, absent);
  return (
    absentLabel(facts) ??
    lackingStreams(facts) ??
    severalStreamsForFormat(facts) ??
    (maps.length === 0 ? emptyFormat(facts) : undefined) ??
    textOfImages(facts) ??
    filtersIn(facts)
      .map(croppedBeyond)
      .find((failure) => failure !== undefined) ??
    (joinsDifferentInputs(facts) ? differentInputs(facts) : undefined)
  );
}

/** Explains why the run will fail because of its output streams. Call this only if the source of each output stream is known. */
const failureOfStreams = (facts: MediaFacts): Failure | undefined =>
  otherKind(facts) ?? absentVariants(facts) ?? unmappedSets(facts) ?? rejectedCopy(facts);

const failureOfLength = (facts: MediaFacts, { seconds }: ForeseenOutput): Failure | undefined =>
  seconds === 0 ? explainNothingWritten(facts) : undefined;

const TEXT_ENCODERS = /^(?:mov_text|srt|subrip|ass|ssa|webvtt|text|ttml)$/;

/** Explains a conversion of image subtitles to text, which ffmpeg cannot do. */
function textOfImages(facts: MediaFacts): Failure | undefined {
  const all = facts.inputs.flatMap((_one, input) => facts.streamsOf(input, 'subtitle'));
  const areImages = all.length > 0 && all.every(({ codec }) => isImageSubtitle(codec));
  const failure = areImages ? subtitlesOfOtherFormat(facts) : undefined;
  if (failure !== undefined || !TEXT_ENCODERS.test(facts.argumentOf('c:s') ?? '')) return failure;
  const isImage = mappedSubtitles(facts).some(({ input, stream }) =>
    isImageSubtitle(facts.inputStream(input, stream)?.codec ?? ''),
  );
  return isImage ? otherKindOfSubtitles(facts) : undefined;
}

/** Explains a format that gets no stream: the inputs have none that it holds (a silent video for an MP3), or `an` or `vn` removes them. */
function emptyFormat(facts: MediaFacts): Failure | undefined {
  const kind = kindOfFormat(facts.plan.output.muxer);
  const options = facts.argv.slice(facts.argv.lastIndexOf('-i'));
  const isLeft = (one: Kind): boolean =>
    (kind !== undefined || !options.includes(`-${letterOf(one)}n`)) && facts.inputWith(one) !== undefined;
  const isLeftAny = (kind === undefined ? KINDS : [kind]).some(isLeft);
  return facts.complexGraphs.length > 0 || isLeftAny ? undefined : noStreamForFormat(facts);
}

function otherKind(facts: MediaFacts): Failure | undefined {
  const encoder = facts.argumentOf('c');
  if (encoder === undefined || encoder === 'copy') return undefined;
  const isOther = (['video', 'audio'] as const).some((kind) => {
    const isChosen = facts.argv.some((word) => word.startsWith(`-c:${letterOf(kind)}`));
    return facts.usedOf(kind).length > 0 && !isChosen && facts.plan.encoders?.[kind]?.includes(encoder) !== true;
  });
  return isOther ? encoderOfOtherKind(facts, encoder) : undefined;
}

function rejectedCopy(facts: MediaFacts): Failure | undefined {
  const { muxer } = facts.plan.output;
  const copied = [...facts.used, ...copiedSubtitles(facts)].filter((one) => one.copied);
  const [codec, ...others] = copied.flatMap(({ input, stream }) => {
    const { codec = '', type } = facts.inputStream(input, stream) ?? {};
    return type !== 'attachment' && muxerRejectsCodec(muxer, codec) ? [codec] : [];
  });
  const explained = codec === undefined || others.length > 0 ? undefined : codecNotHeld(facts, codec);
  return explained ?? streamsNotHeld(facts, copied);
}

/** The copied subtitles that a map selects. An estimate of the output leaves subtitles out, because they are small. */
function copiedSubtitles(facts: MediaFacts): MediaFacts['used'] {
  const hasOwn = facts.hasOption(/^-c:(?:s:|\d)/);
  return hasOwn || (facts.argumentOf('c:s') ?? facts.argumentOf('c')) !== 'copy' ? [] : mappedSubtitles(facts);
}

/** The subtitles that the maps select. Empty if `-sn` or a map such as `-0:s:1` removes streams again. */
function mappedSubtitles(facts: MediaFacts): MediaFacts['used'] {
  const maps = facts.argumentsOf('map');
  if (facts.argv.slice(facts.argv.lastIndexOf('-i')).includes('-sn') || maps.some((map) => map.startsWith('-')))
    return [];
  return maps.flatMap((map) => {
    const { input = 0, streams = [] } = facts.selected(map) ?? {};
    return streams
      .filter(({ type }) => type === 'subtitle')
      .map(({ index }) => ({ input, stream: index, copied: true }));
  });
}

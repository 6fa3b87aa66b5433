import type { Failure } from '../../domain/failure.ts';
import type { OutputStream } from '../../domain/job.ts';
import type { MediaInfo, MediaStream } from '../../domain/media-info.ts';
import type { OutputPlan, Warning } from '../../domain/plan.ts';
import { muxerRejectsCodec } from '../allowlist/container-codecs.ts';
import { isLengthEstimated } from '../allowlist/containers.ts';
import type { InputReport } from '../log/report.ts';
import type { PictureTraits } from '../log/stream-line.ts';
import { toJobOutput } from '../probe/probe-clip.ts';
import type { ForeseenContext } from './contexts.ts';
import type { FinishedPass, ForeseenPass } from './facts/finished-pass.ts';
import { MediaFacts, placed } from './facts/media-facts.ts';
import { readOptionFacts } from './facts/option-facts.ts';
import { filtersIn } from './facts/placed-filter.ts';
import { absentLabel, absentMap } from './failures/absent-streams.ts';
import { absentVariants, unmappedSets } from './failures/absent-variants.ts';
import { differentInputs, joinsDifferentInputs, joinsDifferentRates } from './failures/different-inputs.ts';
import { codecNotHeld, encoderOfOtherKind, streamsNotHeld } from './failures/encoders.ts';
import { lackingStreams } from './failures/joined-inputs.ts';
import { explainNothingWritten, pictureBehindEnd } from './failures/nothing-written.ts';
import { kindOfFormat, noStreamForFormat, severalStreamsForFormat } from './failures/output-formats.ts';
import { isPictureSubtitle, otherKindOfSubtitles, subtitlesOfOtherFormat } from './failures/subtitles.ts';
import { croppedBeyond } from './pictures/bounds.ts';
import { RULE_SETS } from './rule-sets.ts';
import type { FaultGuard } from './rules.ts';

/** What is known of an output before the run. */
export interface ForeseenOutput {
  /** Its length. 0: nothing of the inputs is in it. Absent if a filter makes another one. */
  readonly seconds?: number;
  /** Its pictures and sounds, in their order. */
  readonly streams: readonly ForeseenStream[];
}

/** A picture or a sound of an output. */
export interface ForeseenStream {
  readonly kind: 'video' | 'audio';
  /** The name of the encoder, or `copy`. */
  readonly encoder: string;
  /** The input stream that the output stream is made of. Absent if a filtergraph makes it of several. */
  readonly source?: { readonly input: number; readonly stream: number };
  /** The size of a picture as it is encoded, and its frame rate. */
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  readonly seconds?: number;
}

/**
 * Warns about what a run would certainly do with these inputs: fail, or leave one out. In the words of the run, because the
 * same rules say it. Pure.
 *
 * @param media What ffprobe found in each input.
 * @param output undefined if it is not known.
 */
export function foreseenWarnings(
  plan: OutputPlan,
  media: readonly MediaInfo[],
  output: ForeseenOutput | undefined,
  guard: FaultGuard,
): readonly Warning[] {
  // Streams that a probe leaves out may be those that the request means.
  if (media.some(({ leftOut }) => (leftOut?.streams ?? 0) > 0)) return [];
  const reports = reportsOf(media);
  const pass = foreseenPass(plan, reports, output);
  // Of what a filtergraph reads, it is not known what becomes of it.
  const isDirect = pass.outputStreams.length > 0 && pass.used.every((one) => one.output !== undefined);
  const used = isDirect ? pass.used : [];
  const written = output?.seconds === undefined ? undefined : { seconds: output.seconds };
  const facts = new MediaFacts(plan, reports, used, written);
  const certain = failureOf(facts, output, media, isDirect);
  // The release of the worker's ffmpeg is not known here: later ones than 5 end.
  const failure = certain ?? (joinsDifferentRates(facts) ? differentInputs(facts) : undefined);
  if (failure !== undefined)
    return [
      {
        code: certain === undefined ? 'ENDLESS' : failure.code,
        message: `${failure.message} ${certain === undefined ? 'With ffmpeg 5, the job may not end.' : 'The job would fail.'}`,
        // A fix that names an operation is about a job that has run.
        ...(failure.fix !== undefined && !Array.isArray(failure.fix) && { fix: failure.fix }),
      },
    ];
  const isEstimated = media.some(({ format }) => isLengthEstimated(format));
  const filterRules = RULE_SETS[isEstimated ? 'roughFilters' : 'filters'];
  const context: ForeseenContext = {
    facts,
    pass,
    options: readOptionFacts(facts.argv),
    isDirect,
    uncertain: new Set(plan.inputs.flatMap(({ field }, index) => (hasOtherStreams(media[index]) ? [field] : []))),
  };
  const found = [
    ...RULE_SETS.streams.find(context, guard),
    ...(output === undefined ? [] : filterRules.find({ facts }, guard)),
    ...(output === undefined ? [] : RULE_SETS.files.find({ ...context, facts: facts.withUsed(pass.used) }, guard)),
  ];
  return found.map((one) => placed(facts, one));
}

/** The same of a cut whose parts are not known yet, which is less. */
export function foreseenCutWarnings(
  plan: OutputPlan,
  media: readonly MediaInfo[],
  guard: FaultGuard,
): readonly Warning[] {
  const pass = foreseenPass(plan, reportsOf(media), undefined);
  const facts = new MediaFacts(plan, pass.inputs, []);
  return RULE_SETS.cut.find({ facts, pass }, guard).map((one) => placed(facts, one));
}

/** What ffprobe found in each input, as ffmpeg reports it when it runs. */
const reportsOf = (media: readonly MediaInfo[]): readonly InputReport[] =>
  media.map(
    (one): InputReport => ({
      demuxer: one.format.names.join(','),
      ...(one.format.durationSeconds !== undefined && { durationSeconds: one.format.durationSeconds }),
      streams: toJobOutput(one).streams ?? [],
      ...(one.chapters.length > 0 && { chapters: one.chapters.length }),
      rotations: new Map(
        one.streams.flatMap(({ index, rotationDegrees }) =>
          rotationDegrees === undefined ? [] : [[index, rotationDegrees]],
        ),
      ),
      traits: new Map(one.streams.map((stream) => [stream.index, traitsOf(stream)])),
      streamSeconds: new Map(
        one.streams.flatMap(({ index, durationSeconds, startSeconds = 0 }) =>
          durationSeconds === undefined
            ? []
            : [[index, durationSeconds + startSeconds - (one.format.startSeconds ?? 0)]],
        ),
      ),
    }),
  );

/** What is known of the pass that will write an output. */
function foreseenPass(
  plan: OutputPlan,
  inputs: readonly InputReport[],
  output: ForeseenOutput | undefined,
): ForeseenPass {
  const streams = output?.streams ?? [];
  const read = streams.flatMap(({ source, encoder }, index) =>
    source === undefined ? [] : [{ ...source, copied: encoder === 'copy', output: index }],
  );
  const facts = new MediaFacts(plan, inputs, read);
  const isDirect = read.length === streams.length;
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
  const picture = streams.find(({ kind }) => kind === 'video');
  const frames = Math.round((picture?.seconds ?? Number.NaN) * (picture?.fps ?? 0));
  return {
    plan,
    inputs,
    used: isDirect ? read : [...read, ...readByGraphs(facts)],
    outputStreams,
    outputTraits: new Map(),
    lastBlock: Number.isFinite(frames) ? { frame: Math.max(1, frames), ended: true } : undefined,
    writtenSeconds: output?.seconds,
  };
}

/** The streams that filtergraphs of several streams read, by their labels. */
const readByGraphs = (facts: MediaFacts): FinishedPass['used'] =>
  facts.graphs.flatMap(({ key, filters }) =>
    key !== 'filter_complex'
      ? []
      : filters.flatMap((filter) =>
          filter.inputs.flatMap((label) => {
            const { input = 0, streams: [stream] = [] } = facts.selected(label) ?? {};
            return stream === undefined ? [] : [{ input, stream: stream.index, copied: false }];
          }),
        ),
  );

/** The shape of the pixels of a stream and its frame rate, if ffprobe names them. */
function traitsOf({ sampleAspectRatio, frameRate = 0, baseFrameRate = frameRate }: MediaStream): PictureTraits {
  const [width = 0, height = 0] = (sampleAspectRatio ?? '').split(':').map(Number);
  // For rates that vary as much, ffmpeg may take the one of the codec.
  const isSteady = frameRate > 0 && Math.abs(frameRate / baseFrameRate - 1) < STEADY;
  return {
    ...(width > 0 && height > 0 && { pixelAspect: width / height }),
    ...(isSteady && { baseRate: baseFrameRate }),
  };
}

const STEADY = 0.1;

/** Whether an input may have streams other than pictures and sound. Which of those ffmpeg takes is not foreseen. */
const hasOtherStreams = (media: MediaInfo | undefined): boolean =>
  media?.streams.every(({ type }) => type === 'video' || type === 'audio') !== true || media.leftOut !== undefined;

function failureOf(
  facts: MediaFacts,
  output: ForeseenOutput | undefined,
  media: readonly MediaInfo[],
  isDirect: boolean,
): Failure | undefined {
  const maps = facts.argumentsOf('map');
  const absent = maps.find((map) => !map.endsWith('?') && facts.selected(map)?.streams?.length === 0);
  if (absent !== undefined) return absentMap(facts, absent);
  const isEstimated = media.some(({ format }) => isLengthEstimated(format));
  return (
    absentLabel(facts) ??
    lackingStreams(facts) ??
    severalStreamsForFormat(facts) ??
    (maps.length === 0 ? emptyFormat(facts) : undefined) ??
    textOfPictures(facts) ??
    sizesBeyond(facts) ??
    (joinsDifferentInputs(facts) ? differentInputs(facts) : undefined) ??
    (isDirect
      ? (otherKind(facts) ?? absentVariants(facts) ?? unmappedSets(facts) ?? rejectedCopy(facts))
      : undefined) ??
    (output !== undefined && !isEstimated
      ? output.seconds === 0
        ? explainNothingWritten(facts)
        : pictureBehindEnd(facts)
      : undefined)
  );
}

/** Encoders of subtitles that are text. */
const TEXT_ENCODERS = /^(?:mov_text|srt|subrip|ass|ssa|webvtt|text|ttml)$/;

/** Subtitles that are pictures, and should become text. */
function textOfPictures(facts: MediaFacts): Failure | undefined {
  const all = facts.inputs.flatMap((_one, input) => facts.streamsOf(input, 'subtitle'));
  if (all.length > 0 && all.every(({ codec }) => isPictureSubtitle(codec))) {
    const failure = subtitlesOfOtherFormat(facts);
    if (failure !== undefined) return failure;
  }
  if (!TEXT_ENCODERS.test(facts.argumentOf('c:s') ?? '')) return undefined;
  const isPicture = mappedSubtitles(facts).some(({ input, stream }) =>
    isPictureSubtitle(facts.inputStream(input, stream)?.codec ?? ''),
  );
  return isPicture ? otherKindOfSubtitles(facts) : undefined;
}

/** A rectangle to cut out that is larger than the picture, or a frame around it that is smaller. */
const sizesBeyond = (facts: MediaFacts): Failure | undefined => {
  for (const at of filtersIn(facts)) {
    const failure = croppedBeyond(at);
    if (failure !== undefined) return failure;
  }
  return undefined;
};

/** A format of which no input has what it holds, or of which the request leaves nothing: a film without sound for an MP3, `an` for a song. */
function emptyFormat(facts: MediaFacts): Failure | undefined {
  const kind = kindOfFormat(facts.plan.output.muxer);
  const isMade = facts.graphs.some(({ key }) => key === 'filter_complex');
  const options = facts.argv.slice(facts.argv.lastIndexOf('-i'));
  const kinds = kind === undefined ? (['video', 'audio', 'subtitle'] as const) : [kind];
  const isLeft = (one: (typeof kinds)[number]): boolean =>
    (kind !== undefined || !options.includes(`-${one.charAt(0)}n`)) &&
    facts.inputs.some((_one, input) => facts.streamsOf(input, one).length > 0);
  return isMade || kinds.some(isLeft) ? undefined : noStreamForFormat(facts);
}

/** An encoder of pictures for all streams, of which one is sound. */
function otherKind(facts: MediaFacts): Failure | undefined {
  const encoder = facts.argumentOf('c');
  const { encoders = {} } = facts.plan;
  if (encoder === undefined || encoder === 'copy') return undefined;
  const isChosen = (type: string): boolean => facts.argv.some((word) => word.startsWith(`-c:${type.charAt(0)}`));
  const isOther = facts.used.some(({ input, stream }) => {
    const { type } = facts.inputStream(input, stream) ?? {};
    return (type === 'video' || type === 'audio') && encoders[type]?.includes(encoder) !== true && !isChosen(type);
  });
  return isOther ? encoderOfOtherKind(facts, encoder) : undefined;
}

/** Copies of streams into a container that does not hold their codecs. */
function rejectedCopy(facts: MediaFacts): Failure | undefined {
  const { muxer } = facts.plan.output;
  const copied = [...facts.used, ...copiedSubtitles(facts)].filter((one) => one.copied);
  const rejected = copied.flatMap(({ input, stream }) => {
    const { codec = '', type } = facts.inputStream(input, stream) ?? {};
    return type !== 'attachment' && muxerRejectsCodec(muxer, codec) ? [codec] : [];
  });
  const [codec, ...others] = rejected;
  const explained = codec === undefined || others.length > 0 ? undefined : codecNotHeld(facts, codec);
  return explained ?? streamsNotHeld(facts, copied);
}

/** Subtitles that a map selects to be copied. An estimate leaves them out, because they are small. */
function copiedSubtitles(facts: MediaFacts): MediaFacts['used'] {
  const isEach = facts.argv.some((word) => /^-c:(?:s:|\d)/.test(word));
  if (isEach || (facts.argumentOf('c:s') ?? facts.argumentOf('c')) !== 'copy') return [];
  return mappedSubtitles(facts);
}

/** Subtitles that a map selects. Empty if it is not clear which. */
function mappedSubtitles(facts: MediaFacts): MediaFacts['used'] {
  if (facts.argv.slice(facts.argv.lastIndexOf('-i')).some((word) => word === '-sn')) return [];
  const maps = facts.argumentsOf('map');
  // What a map removes has to be known too.
  if (maps.some((map) => map.startsWith('-'))) return [];
  return maps.flatMap((map) => {
    const { input = 0, streams = [] } = facts.selected(map) ?? {};
    return streams
      .filter(({ type }) => type === 'subtitle')
      .map(({ index }) => ({ input, stream: index, copied: true }));
  });
}

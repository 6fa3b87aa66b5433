import type { Failure } from '../../domain/failure.ts';
import type { MediaInfo } from '../../domain/media-info.ts';
import { extension } from '../../domain/media-path.ts';
import type { OutputPlan, Warning } from '../../domain/plan.ts';
import { andList } from '../../domain/word-list.ts';
import { encodersOfMuxer, muxerRejectsCodec } from '../allowlist/container-codecs.ts';
import { holdsNoSound, holdsNoVideo, holdsOnlyCover, holdsOnlySubtitles } from '../allowlist/container-streams.ts';
import { isLengthEstimated } from '../allowlist/estimated-length.ts';
import { formatText } from '../log/format-text.ts';
import { toJobOutput } from '../probe/job-output.ts';
import { absentLabel, absentMap } from './causes/absent-streams.ts';
import { codecNotHeld } from './causes/codec-not-held.ts';
import { failed } from './causes/media-failure.ts';
import { explainNothingWritten } from './causes/nothing-written.ts';
import { noStreamForFormat } from './causes/output-formats.ts';
import { encoderOfOtherKind } from './causes/wrong-encoder.ts';
import { argumentOf, inputStream, type MediaFacts, matchingStreams, mediaFacts, streamsOf } from './media-facts.ts';
import { unusedInputs } from './unused-inputs.ts';

/** What is known of an output before the run. */
export interface ForeseenOutput {
  /** Its length. 0: nothing of the inputs is in it. */
  readonly seconds: number;
  /** The pictures and the sound that are read. Absent if a filtergraph reads some. */
  readonly streams?: readonly { readonly input: number; readonly stream: number; readonly copied: boolean }[];
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
): readonly Warning[] {
  // Streams that a probe leaves out may be those that the request means.
  if (media.some(({ leftOut }) => (leftOut?.streams ?? 0) > 0)) return [];
  const reports = media.map((one) => ({
    demuxer: one.format.names.join(','),
    ...(one.format.durationSeconds !== undefined && { durationSeconds: one.format.durationSeconds }),
    streams: toJobOutput(one).streams ?? [],
    ...(one.chapters.length > 0 && { chapters: one.chapters.length }),
  }));
  const used = (output?.streams ?? []).map((one, index) => ({ ...one, output: index }));
  const facts = mediaFacts(plan, reports, used);
  const failure = failureOf(facts, output, media);
  if (failure !== undefined)
    return [
      {
        code: failure.code,
        message: `${failure.message} The job would fail.`,
        // A fix that names an operation is about a job that has run.
        ...(typeof failure.fix === 'string' && { fix: failure.fix }),
      },
    ];
  if (output?.streams === undefined) return [];
  const uncertain = new Set(plan.inputs.flatMap(({ field }, index) => (hasOtherStreams(media[index]) ? [field] : [])));
  return unusedInputs(facts, plan.warnings).filter(({ field = '' }) => !uncertain.has(field));
}

/** Whether an input may have streams other than pictures and sound. Which of those ffmpeg takes is not foreseen. */
const hasOtherStreams = (media: MediaInfo | undefined): boolean =>
  media?.streams.every(({ type }) => type === 'video' || type === 'audio') !== true || media.leftOut !== undefined;

function failureOf(
  facts: MediaFacts,
  output: ForeseenOutput | undefined,
  media: readonly MediaInfo[],
): Failure | undefined {
  const { argv } = facts;
  const maps = argv.flatMap((word, at) => (word === '-map' ? [argv[at + 1] ?? ''] : []));
  for (const map of maps) {
    const [, number, specifier = ''] = /^(\d+)(?::(.*))?$/.exec(map) ?? [];
    if (number === undefined || map.endsWith('?')) continue;
    if (matchingStreams(facts, Number(number), specifier)?.length === 0) return absentMap(map, facts);
  }
  const isEstimated = media.some(({ format }) => isLengthEstimated(format));
  return (
    absentLabel(facts) ??
    (maps.length === 0 ? emptyFormat(facts) : undefined) ??
    (output?.streams && (otherKind(facts) ?? rejectedCopy(facts))) ??
    (output?.seconds === 0 && !isEstimated ? explainNothingWritten(facts) : undefined)
  );
}

/** The one kind of streams that a format needs. undefined for formats of several kinds. */
function kindOfFormat(muxer: string): 'video' | 'audio' | 'subtitle' | undefined {
  if (holdsOnlySubtitles(muxer)) return 'subtitle';
  return holdsNoVideo(muxer) || holdsOnlyCover(muxer) ? 'audio' : holdsNoSound(muxer) ? 'video' : undefined;
}

/** A format of which no input has what it holds: a film without sound for an MP3. */
function emptyFormat(facts: MediaFacts): Failure | undefined {
  const kind = kindOfFormat(facts.plan.output.muxer);
  const isMade = facts.graphs.some(({ key }) => key === 'filter_complex');
  if (kind === undefined || isMade || facts.inputs.some((_one, input) => streamsOf(facts, input, kind).length > 0))
    return undefined;
  return noStreamForFormat(facts);
}

/** An encoder of pictures for all streams, of which one is sound. */
function otherKind(facts: MediaFacts): Failure | undefined {
  const encoder = argumentOf(facts, 'c');
  const { encoders = {} } = facts.plan;
  if (encoder === undefined || encoder === 'copy') return undefined;
  const isChosen = (type: string): boolean => facts.argv.some((word) => word.startsWith(`-c:${type.charAt(0)}`));
  const isOther = facts.used.some(({ input, stream }) => {
    const { type } = inputStream(facts, input, stream) ?? {};
    return (type === 'video' || type === 'audio') && encoders[type]?.includes(encoder) !== true && !isChosen(type);
  });
  return isOther ? encoderOfOtherKind(encoder, facts) : undefined;
}

/** Copies of streams into a container that does not hold their codecs. */
function rejectedCopy(facts: MediaFacts): Failure | undefined {
  const { muxer, path } = facts.plan.output;
  const rejected = facts.used.flatMap(({ input, stream, copied }) => {
    const { codec = '', type } = inputStream(facts, input, stream) ?? {};
    const isKnown = type === 'video' || type === 'audio';
    return copied && isKnown && muxerRejectsCodec(muxer, codec) ? [{ codec, type }] : [];
  });
  const [first, ...others] = rejected;
  if (first === undefined) return undefined;
  const explained = others.length === 0 ? codecNotHeld(first.codec, facts) : undefined;
  if (explained !== undefined) return explained;
  const encoders = new Map(rejected.map(({ type }) => [`c:${type.charAt(0)}`, encodersOfMuxer(muxer, type)[0]]));
  const fix = [...encoders].map(([name, encoder]) => `${JSON.stringify(name)}: ${JSON.stringify(encoder)}`);
  return failed(
    'UNSUPPORTED',
    `${formatText({ muxer, extension: extension(path) })} cannot hold ${andList([...new Set(rejected.map(({ codec }) => codec))])}.`,
    [...encoders.values()].includes(undefined)
      ? 'Send an output that ends with ".mkv", which holds nearly every codec.'
      : `Send ${andList(fix)} as well.`,
  );
}

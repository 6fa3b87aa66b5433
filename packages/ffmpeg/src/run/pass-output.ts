import type { EncodedVideo } from '@telecine/contract/domain/chunks.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { OutputReport, OutputStream } from '@telecine/contract/domain/job.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import {
  type OutputPlan,
  outputOf,
  type Plan,
  type PlannedInput,
  type PlannedOutput,
  planOfOutput,
  type Warning,
} from '@telecine/contract/domain/plan.ts';
import { kindOfFormat } from '../allowlist/containers.ts';
import { isDeep } from '../filtergraph/video-colours.ts';
import { type PassOutput as ClassifiedOutput, trustedLines } from '../log/classify.ts';
import type { LogLine } from '../log/log-line.ts';
import type { ProgressBlock } from '../log/progress-reader.ts';
import type { InputReport, OutputLog, ReportReader } from '../log/report.ts';
import type { RunComplaintReader, RunComplaints } from '../log/run-complaints.ts';
import { expectedSeconds } from '../rules/facts/expected-seconds.ts';
import { MediaFacts } from '../rules/facts/media-facts.ts';
import { encodedStreams, type FinishedPass, type StreamTimes, type TakenStreams } from '../rules/facts/pass.ts';
import { comparedFailure, resultWarnings } from '../rules/find-warnings.ts';
import { changesTimes, mayStartEarly, mayStartLate } from '../rules/result/lengths.ts';
import { hasGaps } from '../rules/result/sound.ts';
import { emptyStreams } from '../rules/result/streams.ts';
import type { FaultGuard } from '../rules/rule.ts';
import type { ReadInputs } from './nothing-written.ts';
import {
  isDurationDoubtful,
  isStillImage,
  keepsNoTimes,
  mediaSeconds,
  setsTimes,
  writtenSeconds,
} from './output-duration.ts';

/** What a pass has read about its outputs from the ffmpeg log so far. */
export interface PassReaders {
  readonly plan: Plan;
  readonly report: ReportReader;
  readonly runComplaints: RunComplaintReader;
  readonly guard: FaultGuard;
  readonly lastBlock: ProgressBlock | undefined;
  /** Log lines that may explain a failure: errors and warnings. */
  readonly complaints: readonly LogLine[];
  /** True if text of the media may have forged parts of the report. */
  readonly isForged: boolean;
  /** The number of files that ffmpeg has written for an output with several files. */
  files(index: number): Pick<FinishedPass, 'segments' | 'playlistWrites'>;
}

/** What was measured in a finished output. */
export interface MeasuredFile
  extends StreamTimes,
    Pick<FinishedPass, 'longestSegment' | 'isTransparent' | 'isLoud' | 'photoParts' | 'frameData'> {
  readonly output: OutputReport;
}

/** What a run reports about one of its outputs. */
export class PassOutput {
  readonly index: number;
  readonly #pass: PassReaders;
  readonly #plan: OutputPlan;

  constructor(pass: PassReaders, index: number) {
    this.#pass = pass;
    this.index = index;
    this.#plan = asRead(planOfOutput(pass.plan, index));
  }

  /** True if the run has several outputs. ffmpeg then reports one progress for all of them. */
  get isOneOfSeveral(): boolean {
    return this.#pass.plan.outputs.length > 1;
  }

  /** The argv of the last pass, as if this output were the only one. */
  get argv(): readonly string[] {
    return this.#plan.passes.at(-1) ?? [];
  }

  get #inputs(): readonly InputReport[] {
    return reportedInputs(this.#plan, this.#pass.report.inputs);
  }

  get #log(): OutputLog {
    return this.#pass.report.output(this.index);
  }

  /** The last progress. undefined with several outputs, because ffmpeg reports one progress for all of them. */
  get #block(): ProgressBlock | undefined {
    return this.isOneOfSeveral ? undefined : this.#pass.lastBlock;
  }

  /** The seconds that this pass is expected to write. undefined: unknown, or the inputs are not open yet. */
  get expected(): number | undefined {
    return expectedSeconds(this.#plan, this.#inputs);
  }

  /** Returns the number of streams of a kind that ffmpeg writes. */
  streamCount(kind: 'video' | 'audio'): number {
    return this.#log.streams.filter(({ type }) => type === kind).length;
  }

  /** The videos that ffmpeg has encoded. Empty if text of the media may have forged the log, and if its level is info. */
  get encodedVideos(): readonly EncodedVideo[] {
    return this.#pass.isForged ? [] : this.#log.encodedVideos;
  }

  /** What the output took from the inputs. undefined: text of the media may have forged it. */
  get taken(): TakenStreams | undefined {
    const { used, streams, traits } = this.#log;
    return this.#pass.isForged ? undefined : { used, streams, traits: [...traits] };
  }

  /** What the pass read. undefined: text of the media may have forged it. */
  get readInputs(): ReadInputs | undefined {
    return this.#pass.isForged ? undefined : { plan: this.#plan, inputs: this.#inputs, used: this.#log.used };
  }

  /**
   * Why the pass failed, by comparing its request with its inputs. undefined: its log says it, or text of the media may have forged that.
   *
   * @param rules The ids of rules that explain this pass, besides those that explain any failure.
   */
  comparedFailure(...rules: readonly string[]): Failure | undefined {
    if (this.#pass.isForged) return undefined;
    const { guard } = this.#pass;
    const { used, streams } = this.#log;
    const read = { plan: this.#plan, inputs: this.#inputs, used, outputStreams: streams };
    return guard(() => comparedFailure(read, rules, guard), undefined);
  }

  /** What is known about the inputs. undefined: text of the media may have forged it. */
  get facts(): MediaFacts | undefined {
    if (this.#pass.isForged) return undefined;
    return this.#pass.guard(() => new MediaFacts(this.#plan, this.#inputs, this.#log.used), undefined);
  }

  /** The output as the request names it. */
  get sent(): PlannedOutput {
    return outputOf(this.#pass.plan, this.index);
  }

  /** The output as planned. It is known even if the pass fails early. */
  get planned(): ClassifiedOutput {
    const { muxer, path } = this.sent;
    const { mapped } = this.#log;
    return {
      muxer,
      extension: extension(path),
      codecs: [...new Set(mapped.map(({ codec }) => codec))],
      encoders: new Set(mapped.flatMap(({ encoder }) => encoder ?? [])),
    };
  }

  get #complaints(): RunComplaints {
    const { runComplaints } = this.#pass;
    return this.isOneOfSeveral ? runComplaints.foundOf(this.index) : runComplaints.found;
  }

  /** Warns about what the client probably did not want. Empty if text of the media may have forged the log. */
  warningsAbout(measured: MeasuredFile): readonly Warning[] {
    if (this.#pass.isForged) return [];
    const { guard } = this.#pass;
    const { output, ...times } = measured;
    const finished = (): FinishedPass => ({
      ...times,
      plan: this.#plan,
      inputs: this.#inputs,
      used: this.#log.used,
      outputStreams: this.#log.streams,
      outputTraits: this.#log.traits,
      complaints: this.#complaints,
      lastBlock: this.isOneOfSeveral ? { ...blockOf(output), ...this.#frameCounts } : this.#pass.lastBlock,
      writtenSeconds: output.durationSeconds,
      soundSeconds: this.#log.soundSeconds,
      ...this.#pass.files(this.index),
    });
    return guard(() => resultWarnings(finished(), guard), []);
  }

  /**
   * How many frames ffmpeg repeated and dropped. Empty unless this is the only output with video: ffmpeg counts the frames of all outputs
   * together, and counts frames after a poster as dropped.
   */
  get #frameCounts(): Pick<ProgressBlock, 'repeatedFrames' | 'droppedFrames'> {
    const { plan, report, lastBlock } = this.#pass;
    const withVideo = plan.outputs.flatMap((_output, index) =>
      report.output(index).streams.some(({ type }) => type === 'video') ? [index] : [],
    );
    if (withVideo.length !== 1 || withVideo[0] !== this.index) return {};
    const { repeatedFrames, droppedFrames } = lastBlock ?? {};
    return {
      ...(repeatedFrames !== undefined && { repeatedFrames }),
      ...(droppedFrames !== undefined && { droppedFrames }),
    };
  }

  /**
   * True if ffmpeg reported success, but wrote no frame and no sample into its only output. False with several outputs, for which ffmpeg
   * does not show it.
   */
  get wroteNothing(): boolean {
    if (this.isOneOfSeveral) return false;
    const { frame, outSeconds } = this.#pass.lastBlock ?? {};
    const has = (type: string): boolean => this.#log.streams.some((stream) => stream.type === type);
    // Since ffmpeg 7, `outSeconds` is the end of the stream that ends first, such as 0 for an empty video next to audio.
    const wroteAudio = has('audio') && this.#complaints.wroteAudio === true;
    // A cover alone is not an audio file.
    const isOfAudio = has('audio') && kindOfFormat(this.#plan.output.muxer) === 'audio';
    if (isOfAudio && has('video')) return !wroteAudio && (outSeconds ?? 0) < COVER_SECONDS;
    const hasTime = (outSeconds ?? 0) > 0;
    if (has('video')) return frame === 0 && !hasTime && !wroteAudio;
    return has('audio') && (outSeconds === undefined ? this.#saysEmpty : !hasTime);
  }

  /** True if a stream of the output is copied. */
  get copies(): boolean {
    return this.#log.used.some(({ copied }) => copied);
  }

  /** The HDR video that the output has encoded as such. undefined: none, or text of the media may have forged the log. */
  get encodedHdr(): { readonly input: number; readonly stream: number; readonly output: number } | undefined {
    const { used, streams } = this.#log;
    const pass = { inputs: this.#inputs, used, outputStreams: streams };
    const found = encodedStreams(pass, 'video').find(
      ({ from, to }) => from.transfer !== undefined && isDeep(to.pixelFormat ?? ''),
    );
    return this.#pass.isForged || found === undefined
      ? undefined
      : { input: found.input, stream: found.stream, output: found.to.index };
  }

  /** True if the output has subtitles alone. */
  get hasOnlySubtitles(): boolean {
    const { streams } = this.#log;
    return streams.length > 0 && streams.every(({ type }) => type === 'subtitle');
  }

  /** True if ffmpeg logs that the output is empty. Since ffmpeg 7, it then reports no time. */
  get #saysEmpty(): boolean {
    return trustedLines(this.#pass.complaints).some(({ text }) =>
      text.startsWith('Output file is empty, nothing was encoded'),
    );
  }

  /** True if `report` may be wrong. ffprobe should then read the file. */
  get isDoubtful(): boolean {
    return this.#pass.isForged || this.isOneOfSeveral || this.#isDurationDoubtful || this.hasEmptyStream;
  }

  get #isDurationDoubtful(): boolean {
    const { muxer = '', streams, used, soundSeconds } = this.#log;
    const { facts } = this;
    const { guard } = this.#pass;
    if (
      facts !== undefined &&
      guard(() => mayStartEarly(facts, used) || mayStartLate(facts, used) || changesTimes(facts), false)
    )
      return true;
    const { durationSeconds } = this.report;
    const isUnlike = hasGaps(durationSeconds, soundSeconds) || hasGaps(soundSeconds, durationSeconds);
    if (durationSeconds !== undefined && (setsTimes(this.argv) || isUnlike)) return true;
    const isOfOneStream = this.#inputs.every((input) => input.streams.length < 2);
    if (durationSeconds !== undefined && keepsNoTimes(muxer, isOfOneStream)) return true;
    return isDurationDoubtful(durationSeconds, this.expected, streams, muxer);
  }

  /** True if a stream has no frame. ffmpeg still lists such a stream, but some formats do not store it. */
  get hasEmptyStream(): boolean {
    const { facts } = this;
    const { used, streams } = this.#log;
    const pass = { lastBlock: this.#block, used, outputStreams: streams, complaints: this.#complaints };
    return facts !== undefined && this.#pass.guard(() => emptyStreams(facts, pass).length > 0, false);
  }

  /**
   * The duration of all files of the output together, in seconds. undefined with several outputs. The muxer is taken from the plan, because
   * the media may forge the muxer in the log.
   */
  get mediaSeconds(): number | undefined {
    return mediaSeconds(this.#block ?? {}, this.#log.streams, this.#plan.output.muxer);
  }

  /** The report of ffmpeg about the main file of the output. */
  get report(): OutputReport {
    return this.#reportWith(this.#block);
  }

  /** Returns the report about the main file of one of several outputs. `durationSeconds`: the measured duration. */
  reportOf(durationSeconds: number | undefined): OutputReport {
    return this.#reportWith(blockOf({ durationSeconds, streams: this.#log.streams }));
  }

  #reportWith(block: ProgressBlock | undefined): OutputReport {
    const { muxer = '', streams } = this.#log;
    const seconds = writtenSeconds(block ?? {}, streams, muxer);
    return {
      ...(seconds === undefined ? {} : { durationSeconds: seconds }),
      streams: reportedStreams(muxer, streams, isStillImage(muxer, block?.frame ?? 0)),
    };
  }

  get isForged(): boolean {
    return this.#pass.isForged;
  }

  /** True if the output has a video or audio stream. */
  get hasMedia(): boolean {
    return this.#log.streams.some(({ type }) => type === 'video' || type === 'audio');
  }

  /** The seconds that the run wrote. They are close to the duration of this output. undefined for an image. */
  get runSeconds(): number | undefined {
    const { muxer } = this.#plan.output;
    return this.hasMedia && !isStillImage(muxer, 2) ? this.#pass.lastBlock?.outSeconds : undefined;
  }
}

/** The longest time of a cover: 11 µs for a cover of an audio file, and one frame at 25 per second for an image. */
const COVER_SECONDS = 0.05;

/** Returns the last progress that ffmpeg would report for an output that ffprobe measured. */
function blockOf({
  durationSeconds,
  streams = [],
}: {
  readonly durationSeconds?: number | undefined;
  readonly streams?: OutputReport['streams'];
}): ProgressBlock {
  const fps = streams.find((stream) => stream.fps !== undefined)?.fps;
  return {
    ended: true,
    ...(durationSeconds === undefined ? {} : { outSeconds: durationSeconds }),
    ...(durationSeconds === undefined || fps === undefined ? {} : { frame: Math.round(durationSeconds * fps) }),
  };
}

const MP4: readonly string[] = 'mp4 mov ipod psp 3gp 3g2 f4v ismv'.split(' ');
const MATROSKA: readonly string[] = ['matroska', 'webm'];

/** Muxers that store the language of a stream. ffmpeg logs a language for any muxer. */
const LANGUAGE: ReadonlySet<string> = new Set([...MP4, ...MATROSKA, ...'mpegts nut ogg oga ogv opus spx'.split(' ')]);

/** Returns the dispositions that the container stores: all for Matroska, only that of a cover for MP4, else none. */
const dispositions = (muxer: string, reported: readonly string[]): readonly string[] => {
  if (MATROSKA.includes(muxer)) return reported;
  return MP4.includes(muxer) ? reported.filter((one) => one === 'attached_pic') : [];
};

/**
 * Returns the streams of a finished output, without properties that its container does not store.
 *
 * @param still True if the output is a still image. For it, ffmpeg reports the frame rate of the input.
 */
const reportedStreams = (muxer: string, streams: readonly OutputStream[], still: boolean): readonly OutputStream[] =>
  streams.map(({ language, disposition = [], fps, ...stream }) => {
    const stored = dispositions(muxer, disposition);
    return {
      ...stream,
      ...(fps === undefined || still ? {} : { fps }),
      ...(language !== undefined && LANGUAGE.has(muxer) ? { language } : {}),
      ...(stored.length === 0 ? {} : { disposition: stored }),
    };
  });

/** The maximum number of clip names in a message. */
const MAX_NAMED = 3;

/** Returns the plan as ffmpeg sees it: for clips that are joined without encoding, ffmpeg reads one input, a list of files. */
export function asRead(plan: OutputPlan): OutputPlan {
  if ((plan.join ?? plan.cut)?.mode !== 'copy') return plan;
  const [first, ...others] = plan.inputs;
  if (first === undefined) return plan;
  const joined: PlannedInput = {
    logical: first.logical,
    path: namesOf([first, ...others]) as MediaPath,
    field: '/inputs',
  };
  return { ...plan, inputs: [joined], span: { ...plan.span, inputs: [{}] } };
}

function namesOf(inputs: readonly PlannedInput[]): string {
  const names = inputs.slice(0, MAX_NAMED).map(({ path }) => path);
  const more = inputs.length - names.length;
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
}

/**
 * Returns what ffmpeg logged about the inputs. For a list of joined clips, replaces the logged duration of the first clip by the total.
 */
export function reportedInputs(
  { join, cut, span }: Pick<OutputPlan, 'join' | 'cut' | 'span'>,
  inputs: readonly InputReport[],
): readonly InputReport[] {
  if ((join ?? cut)?.mode !== 'copy') return inputs;
  return inputs.map(({ durationSeconds: _, ...report }, index) => ({
    ...report,
    ...(index === 0 && span.joined !== undefined && { durationSeconds: span.joined }),
  }));
}

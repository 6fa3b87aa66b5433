import type { JobOutput } from '../../domain/job.ts';
import { extension } from '../../domain/media-path.ts';
import { outputOf, type Plan, type PlannedOutput, planOfOutput, type Warning } from '../../domain/plan.ts';
import { secretHider } from '../../domain/secret-hider.ts';
import { secretsIn } from '../../domain/secret-options.ts';
import { isComplaint, type PassOutput, trustedLines } from '../log/classify.ts';
import { type LogLine, uncolored } from '../log/log-line.ts';
import { LogLineReader } from '../log/log-line-reader.ts';
import type { ReadableLog } from '../log/readable-log.ts';
import { type InputReport, ReportReader } from '../log/report.ts';
import { RunComplaintReader } from '../log/run-complaints.ts';
import { type Command, type Enter, type LaunchedProcess, launch } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { mayStartEarly } from './early-start.ts';
import type { FaultGuard } from './fault-guard.ts';
import { mayStartLate, type PictureDelay } from './late-picture.ts';
import { type MediaFacts, mediaFacts } from './media-facts.ts';
import { expectedSeconds, isDurationDoubtful, isStillImage, mediaSeconds, writtenSeconds } from './output-duration.ts';
import type { ObservedPass } from './policy-violations.ts';
import { type ProgressBlock, ProgressReader } from './progress.ts';
import { reportedStreams } from './reported-streams.ts';
import { findRunWarnings } from './run-warnings.ts';
import { copyWithoutFrames, emptied } from './silent-results.ts';

/** The most error lines to store. A damaged file can cause millions. */
const MAX_COMPLAINTS = 200;
const LAST_LINES = 30;

const NO_READERS: ReadonlySet<string> = new Set();

const readersOf = (inputs: readonly InputReport[]): ReadonlySet<string> =>
  new Set(inputs.flatMap(({ demuxer, streams }) => [demuxer, ...streams.map(({ codec }) => codec)]));

const OPENED = /^Opening '(?:file:)?out\/.{1,300}\.(\w{1,5})' for writing$/;

/** Whether ffmpeg has opened a file of media, not a playlist or the start of fragmented MP4. */
const isSegment = ({ component, text }: LogLine): boolean =>
  (component === 'hls' || component === 'segment' || component === 'stream_segment,ssegment') &&
  !/init\.mp4'/.test(text) &&
  !/^(?:m3u8|tmp|vtt)$/.test(OPENED.exec(text)?.[1] ?? 'tmp');

/** The playlist that ffmpeg writes again for each segment. */
const PLAYLIST = /^Opening '((?:file:)?out\/.{1,300}\.m3u8)(?:\.tmp)?' for writing$/;

/** One run of ffmpeg, and everything observed while it runs. */
export class Pass {
  readonly process: LaunchedProcess;
  readonly #plan: Plan;
  readonly #log: ReadableLog;
  readonly #guard: FaultGuard;
  readonly #hideSecrets: (text: string) => string;
  /** The number of inputs in the argv. A report about more of them is forged. */
  readonly #inputCount: number;
  readonly #lines = new LogLineReader();
  readonly #report = new ReportReader();
  readonly #complaints: LogLine[] = [];
  readonly #last: string[] = [];
  readonly #runComplaints = new RunComplaintReader();
  /** The codecs and demuxers of the inputs, once all inputs are open. */
  #readers: ReadonlySet<string> = NO_READERS;
  #hasStarted = false;
  /** Whether a line could not be read, so that the report may lack something. */
  #hasUnreadLine = false;
  #segments = 0;
  /** How often each playlist was written. */
  readonly #playlists = new Map<string, number>();
  #lastBlock: ProgressBlock | undefined;

  constructor(
    command: Command,
    plan: Plan,
    log: ReadableLog,
    guard: FaultGuard,
    onBlock: (block: ProgressBlock, pass: Pass) => void,
    enter?: Enter,
  ) {
    this.#plan = plan;
    this.#inputCount = command.args.filter((word) => word === '-i').length;
    this.#hideSecrets = secretHider([...plan.passes, ...(plan.checks ?? [])].flatMap(secretsIn));
    this.#log = log;
    this.#guard = guard;
    const progress = new ProgressReader();
    const listeners = {
      out: new LineSplitter((line) =>
        guard(() => {
          const block = progress.feed(line);
          if (block === undefined) return;
          this.#lastBlock = block;
          onBlock(block, this);
        }, undefined),
      ),
      err: new LineSplitter((line) => {
        this.#hasUnreadLine ||= !guard(() => this.#readLine(line), false);
      }),
    };
    this.process = launch(command, listeners, enter);
  }

  /** Returns true. The guard returns false instead if the line cannot be read. */
  #readLine(text: string): boolean {
    const raw = this.#hideSecrets(text);
    const lines = this.#lines.feed(raw);
    for (const line of lines) this.#readParsed(line);
    if (lines.every(({ level }) => level === 'verbose')) return true;
    this.#last.push(uncolored(raw));
    if (this.#last.length > LAST_LINES) this.#last.shift();
    return true;
  }

  #readParsed(line: LogLine): void {
    this.#report.feed(line);
    // Of what ffmpeg says at level verbose, only the sizes of pictures matter.
    if (line.level === 'verbose') {
      this.#runComplaints.feed(line, this.#readers);
      return;
    }
    this.#log.add(line);
    if (this.#readers === NO_READERS && this.#report.hasMapping) this.#readers = readersOf(this.#report.inputs);
    this.#runComplaints.feed(line, this.#readers);
    if (isSegment(line)) this.#segments++;
    const playlist = line.component === 'hls' ? PLAYLIST.exec(line.text)?.[1] : undefined;
    if (playlist !== undefined) this.#playlists.set(playlist, (this.#playlists.get(playlist) ?? 0) + 1);
    const mayExplain = isComplaint(line, this.#hasStarted);
    this.#hasStarted ||= line.level !== undefined;
    if (!mayExplain) return;
    this.#complaints.push(line);
    // Keep the first lines, which name the cause, and the last lines, which name the result.
    if (this.#complaints.length > MAX_COMPLAINTS) this.#complaints.splice(MAX_COMPLAINTS / 2, 1);
  }

  get #output(): PlannedOutput {
    return outputOf(this.#plan, 0);
  }

  /** The expected seconds of output of this pass. undefined if unknown, and until the inputs are open. */
  get expected(): number | undefined {
    return expectedSeconds({ inputs: this.#plan.inputs, span: this.#output.span }, this.#report.inputs);
  }

  /** Whether ffmpeg has written the output's header. */
  get hasOutput(): boolean {
    return this.#report.muxer !== undefined;
  }

  get lastBlock(): ProgressBlock | undefined {
    return this.#lastBlock;
  }

  /** Lines that may explain a failure. */
  get complaints(): readonly LogLine[] {
    return this.#complaints;
  }

  /** What is known about the inputs, also of a pass that failed. undefined if the media may have forged it. */
  get facts(): MediaFacts | undefined {
    if (this.isForged) return undefined;
    return this.#guard(
      () => mediaFacts(planOfOutput(this.#plan, 0), this.#report.inputs, this.#report.used),
      undefined,
    );
  }

  /** What the pass was to write, also if it failed before it wrote anything. */
  get planned(): PassOutput {
    const { muxer, path } = this.#output;
    const streams = this.#report.mappedStreams;
    return {
      muxer,
      extension: extension(path),
      codecs: [...new Set(streams.map(({ codec }) => codec))],
      encoders: new Set(streams.flatMap(({ encoder }) => encoder ?? [])),
    };
  }

  get observed(): ObservedPass {
    const { largestStreamCount } = this.#report;
    return { largestStreamCount, outSeconds: this.#lastBlock?.outSeconds ?? 0, complaints: this.#complaints };
  }

  /**
   * What the run did that the client probably did not want. `output`: the finished output. Empty if the media may have
   * forged the report.
   */
  warningsAbout({
    output,
    pictureDelay,
  }: { readonly output: Pick<JobOutput, 'durationSeconds'> } & PictureDelay): readonly Warning[] {
    const { inputs, used, outputStreams } = this.#report;
    if (this.isForged) return [];
    const finished = () => ({
      plan: planOfOutput(this.#plan, 0),
      inputs,
      used,
      outputStreams,
      outputTraits: this.#report.outputTraits,
      complaints: this.#runComplaints.found,
      lastBlock: this.#lastBlock,
      writtenSeconds: output.durationSeconds,
      pictureDelay,
      segments: this.#segments,
      playlistWrites: Math.max(0, ...this.#playlists.values()),
    });
    return this.#guard(() => findRunWarnings(finished(), this.#guard), []);
  }

  get lastLines(): string {
    return this.#last.join('\n');
  }

  /** Whether the pass wrote no frame and no sample, which ffmpeg itself reports as success. */
  get wroteNothing(): boolean {
    const { frame, outSeconds } = this.#lastBlock ?? {};
    const has = (type: string): boolean => this.#report.outputStreams.some((stream) => stream.type === type);
    // Since release 7, ffmpeg reports the time of the stream that ends first: of an empty picture beside a sound.
    const hasSound = has('audio') && this.#runComplaints.found.wroteSound === true;
    if (has('video')) return frame === 0 && (outSeconds ?? 0) === 0 && !hasSound;
    return has('audio') && (outSeconds === 0 || (outSeconds === undefined && this.#saysEmpty));
  }

  /** Whether ffmpeg says that the output is empty. Since release 7, it reports no time then. */
  get #saysEmpty(): boolean {
    return trustedLines(this.#complaints).some(({ text }) =>
      text.startsWith('Output file is empty, nothing was encoded'),
    );
  }

  /** Whether text in the media may have forged parts of `output` or `facts`, or the report may lack something. */
  get isForged(): boolean {
    return this.#hasUnreadLine || this.#report.isForged || this.#report.inputs.length > this.#inputCount;
  }

  /** Whether the duration in `output` may be wrong, so that the file should be probed. */
  get isDurationDoubtful(): boolean {
    const { muxer = '', outputStreams } = this.#report;
    const { facts } = this;
    const { used } = this.#report;
    if (facts !== undefined && this.#guard(() => mayStartEarly(facts, used) || mayStartLate(facts, used), false))
      return true;
    return isDurationDoubtful(this.output.durationSeconds, this.expected, outputStreams, muxer);
  }

  /** Whether a stream has no frame. Some formats drop such a stream from the file, although ffmpeg reports it. */
  get hasEmptyStream(): boolean {
    const { facts } = this;
    const { used, outputStreams } = this.#report;
    const pass = { lastBlock: this.#lastBlock, used, outputStreams, complaints: this.#runComplaints.found };
    return (
      facts !== undefined &&
      this.#guard(() => copyWithoutFrames(facts, pass).length + emptied(facts, pass).length > 0, false)
    );
  }

  /** The duration of all files of the output together. The muxer is that of the plan, because media can forge the report. */
  get mediaSeconds(): number | undefined {
    return mediaSeconds(this.#lastBlock ?? {}, this.#report.outputStreams, this.#output.muxer);
  }

  /** The main output file as ffmpeg reported it. */
  get output(): Omit<JobOutput, 'path' | 'sizeBytes'> {
    const { muxer = '', outputStreams } = this.#report;
    const seconds = writtenSeconds(this.#lastBlock ?? {}, outputStreams, muxer);
    const streams = reportedStreams(muxer, outputStreams, isStillImage(muxer, this.#lastBlock?.frame ?? 0));
    return { ...(seconds === undefined ? {} : { durationSeconds: seconds }), streams };
  }
}

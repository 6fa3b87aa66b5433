import type { OutputFiles, Plan } from '@telecine/contract/domain/plan.ts';
import { secretHider, secretsIn } from '@telecine/contract/domain/secret-options.ts';
import { ComplaintReader } from '../log/complaint-reader.ts';
import { type LogLine, LogLineReader, uncolored } from '../log/log-line.ts';
import { type ProgressBlock, ProgressReader } from '../log/progress-reader.ts';
import type { ReadableLog } from '../log/readable-log.ts';
import { type InputReport, ReportReader } from '../log/report.ts';
import { RunComplaintReader } from '../log/run-complaints.ts';
import { type Command, type Enter, type LaunchedProcess, launch, type WaitForTurn } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import type { FinishedPass } from '../rules/facts/pass.ts';
import type { FaultGuard } from '../rules/rule.ts';
import { PassOutput, type PassReaders } from './pass-output.ts';
import type { ObservedPass } from './policy-violations.ts';

/** Matches `Opening 'out/seg_001.ts' for writing`. Captures the path below `out/`, and the extension. */
const OPENED = /^Opening '(?:crypto:)?(?:file:)?out\/(.{0,300}\.(\w{1,5}))' for writing$/;

const SEGMENT_MUXERS: ReadonlySet<string> = new Set(['hls', 'segment']);

/** False for a playlist, subtitles or an init segment (`init.mp4`). */
const isSegment = (name: string, extension: string): boolean =>
  !/init\.mp4$/.test(name) && !/^(?:m3u8|tmp|vtt)$/.test(extension);

/** Matches the line about an HLS playlist, which ffmpeg writes again for each segment. */
const PLAYLIST = /^Opening '(?:file:)?out\/(.{1,300}\.m3u8)(?:\.tmp)?' for writing$/;

/** Counts the segments and playlists that ffmpeg opens. */
class WrittenFiles {
  readonly #outputs: readonly Pick<OutputFiles, 'subfolder'>[];
  readonly #segments = new Map<number, number>();
  /** How often each playlist was written, by output index and path. */
  readonly #playlists = new Map<number, Map<string, number>>();

  constructor(outputs: readonly Pick<OutputFiles, 'subfolder'>[]) {
    this.#outputs = outputs;
  }

  feed({ component = '', text }: LogLine): void {
    if (!SEGMENT_MUXERS.has(component)) return;
    const [, name, extension = ''] = OPENED.exec(text) ?? [];
    if (name !== undefined && isSegment(name, extension)) {
      const index = this.#outputWith(name);
      this.#segments.set(index, (this.#segments.get(index) ?? 0) + 1);
    }
    const playlist = component === 'hls' ? PLAYLIST.exec(text)?.[1] : undefined;
    if (playlist === undefined) return;
    const index = this.#outputWith(playlist);
    const counts = this.#playlists.get(index) ?? new Map<string, number>();
    counts.set(playlist, (counts.get(playlist) ?? 0) + 1);
    this.#playlists.set(index, counts);
  }

  #outputWith(name: string): number {
    return this.#outputs.findIndex(({ subfolder }) => name.startsWith(subfolder));
  }

  of(index: number): Pick<FinishedPass, 'segments' | 'playlistWrites'> {
    const playlists = this.#playlists.get(index) ?? new Map<string, number>();
    return { segments: this.#segments.get(index) ?? 0, playlistWrites: Math.max(0, ...playlists.values()) };
  }
}

const LAST_LINES = 30;

const NO_READERS: ReadonlySet<string> = new Set();

const readersOf = (inputs: readonly InputReport[]): ReadonlySet<string> =>
  new Set(inputs.flatMap(({ demuxer, streams }) => [demuxer, ...streams.map(({ codec }) => codec)]));

/** A run of ffmpeg, with everything that the service reads from its log. */
export class Pass implements PassReaders {
  readonly process: LaunchedProcess;
  readonly plan: Plan;
  readonly guard: FaultGuard;
  readonly report: ReportReader;
  readonly runComplaints: RunComplaintReader;
  /** The outputs of the pass, in the order of the plan. */
  readonly outputs: readonly PassOutput[];
  readonly #log: ReadableLog;
  readonly #hideSecrets: (text: string) => string;
  /** The number of inputs in the argv. If the log lists more inputs, text of the media has forged some. */
  readonly #inputCount: number;
  readonly #lines = new LogLineReader();
  readonly #complaints = new ComplaintReader();
  readonly #last: string[] = [];
  /** The codecs and demuxers of the inputs. Their errors count as read errors. Empty until all inputs are open. */
  #readers: ReadonlySet<string> = NO_READERS;
  /** True if the code that reads lines threw, so that the report may lack something. */
  #hasUnreadLine = false;
  readonly #files: WrittenFiles;
  #lastBlock: ProgressBlock | undefined;

  constructor(
    command: Command,
    plan: Plan,
    log: ReadableLog,
    guard: FaultGuard,
    onBlock: (block: ProgressBlock, pass: Pass) => void,
    enter?: Enter,
    waitForTurn?: WaitForTurn,
  ) {
    this.plan = plan;
    this.report = new ReportReader(plan.outputs.length);
    this.#files = new WrittenFiles(plan.outputs);
    this.outputs = plan.outputs.map((_output, index) => new PassOutput(this, index));
    this.#inputCount = command.args.filter((word) => word === '-i').length;
    this.runComplaints = new RunComplaintReader(command.args.slice(0, command.args.lastIndexOf('-i')).includes('-ss'));
    this.#hideSecrets = secretHider([...plan.passes, ...(plan.checks ?? [])].flatMap(secretsIn));
    this.#log = log;
    this.guard = guard;
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
    this.process = launch(command, listeners, enter, waitForTurn);
  }

  /** Reads a line and returns true. If this code throws, the guard returns false. */
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
    this.report.feed(line);
    // Skip lines at level verbose, except those with frame sizes.
    if (line.level === 'verbose') {
      this.runComplaints.feed(line, this.#readers);
      return;
    }
    this.#log.add(line);
    if (this.#readers === NO_READERS && this.report.hasMapping) this.#readers = readersOf(this.report.inputs);
    this.runComplaints.feed(line, this.#readers);
    this.#files.feed(line);
    this.#complaints.feed(line);
  }

  /** The expected length of the longest output of this pass, in seconds. undefined: unknown, or the inputs are not open yet. */
  get expected(): number | undefined {
    const all = this.outputs.flatMap(({ expected }) => expected ?? []);
    return all.length < this.outputs.length ? undefined : Math.max(...all);
  }

  /** True if ffmpeg has written the header of an output. */
  get hasOutput(): boolean {
    return this.report.hasOutput;
  }

  get lastBlock(): ProgressBlock | undefined {
    return this.#lastBlock;
  }

  /** Log lines that may explain a failure. */
  get complaints(): readonly LogLine[] {
    return this.#complaints.lines;
  }

  /** The first output. It is used for facts about the inputs, which are the same for all outputs. */
  get firstOutput(): PassOutput {
    const [output] = this.outputs;
    if (output === undefined) throw new RangeError('The plan has no output.');
    return output;
  }

  get observed(): ObservedPass {
    const { largestStreamCount } = this.report;
    const { outSeconds = 0 } = this.#lastBlock ?? {};
    return {
      ...{ largestStreamCount, outSeconds, complaints: this.complaints },
      // With several outputs, the progress does not show the length of each output.
      ...(this.outputs.length === 1 && { mediaSeconds: this.firstOutput.mediaSeconds }),
    };
  }

  files(index: number): ReturnType<PassReaders['files']> {
    return this.#files.of(index);
  }

  get lastLines(): string {
    return this.#last.join('\n');
  }

  /** True if an MP4 that was read may be encrypted: it was copied, or decoded with errors. */
  get mayReadEncrypted(): boolean {
    const isDoubtful = this.runComplaints.found.readErrors > 0 || this.outputs.some(({ copies }) => copies);
    return isDoubtful && this.readsMov;
  }

  /** True if an input is MP4 or MOV, which may be encrypted. */
  get readsMov(): boolean {
    return this.report.inputs.some(({ demuxer }) => demuxer.startsWith('mov'));
  }

  get wroteNothing(): boolean {
    return this.outputs.every((output) => output.wroteNothing);
  }

  /** True if text of the media may have forged parts of the report, or if a line of the log was not read. */
  get isForged(): boolean {
    return this.#hasUnreadLine || this.report.isForged || this.report.inputs.length > this.#inputCount;
  }
}

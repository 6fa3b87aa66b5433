import type { JobOutput } from '../../domain/job.ts';
import type { Plan } from '../../domain/plan.ts';
import { isComplaint } from '../log/classify.ts';
import { type LogLine, parseLogLine, uncolored } from '../log/log-line.ts';
import type { ReadableLog } from '../log/readable-log.ts';
import { ReportReader } from '../log/report.ts';
import { type Command, type LaunchedProcess, launch } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { expectedSeconds, isDurationDoubtful, isStillImage, writtenSeconds } from './output-duration.ts';
import type { ObservedPass } from './policy-violations.ts';
import { type ProgressBlock, ProgressReader } from './progress.ts';
import { reportedStreams } from './reported-streams.ts';

/** The most error lines to store. A damaged file can cause millions. */
const MAX_COMPLAINTS = 200;
const LAST_LINES = 30;

/** One run of ffmpeg, and everything observed while it runs. */
export class Pass {
  readonly process: LaunchedProcess;
  readonly #plan: Plan;
  readonly #log: ReadableLog;
  readonly #report = new ReportReader();
  readonly #complaints: LogLine[] = [];
  readonly #last: string[] = [];
  #hasStarted = false;
  #lastBlock: ProgressBlock | undefined;

  constructor(command: Command, plan: Plan, log: ReadableLog, onBlock: (block: ProgressBlock, pass: Pass) => void) {
    this.#plan = plan;
    this.#log = log;
    const progress = new ProgressReader();
    this.process = launch(command, {
      out: new LineSplitter((line) => {
        const block = progress.feed(line);
        if (block === undefined) return;
        this.#lastBlock = block;
        onBlock(block, this);
      }),
      err: new LineSplitter((line) => this.#readLine(line)),
    });
  }

  #readLine(raw: string): void {
    const line = parseLogLine(raw);
    this.#report.feed(line);
    this.#log.add(line);
    this.#last.push(uncolored(raw));
    if (this.#last.length > LAST_LINES) this.#last.shift();
    const mayExplain = isComplaint(line, this.#hasStarted);
    this.#hasStarted ||= line.level !== undefined;
    if (!mayExplain) return;
    this.#complaints.push(line);
    // Keep the first lines, which name the cause, and the last lines, which name the result.
    if (this.#complaints.length > MAX_COMPLAINTS) this.#complaints.splice(MAX_COMPLAINTS / 2, 1);
  }

  /** The expected seconds of output of this pass. undefined if unknown, and until the inputs are open. */
  get expected(): number | undefined {
    return expectedSeconds(this.#plan, this.#report.inputs);
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

  get observed(): ObservedPass {
    const { inputs, outputStreams } = this.#report;
    return { inputs, outputStreams, outSeconds: this.#lastBlock?.outSeconds ?? 0, complaints: this.#complaints };
  }

  get lastLines(): string {
    return this.#last.join('\n');
  }

  /** Whether the pass wrote no frame and no sample, which ffmpeg itself reports as success. */
  get wroteNothing(): boolean {
    const { frame, outSeconds } = this.#lastBlock ?? {};
    const has = (type: string): boolean => this.#report.outputStreams.some((stream) => stream.type === type);
    if (has('video')) return frame === 0 && (outSeconds ?? 0) === 0;
    return has('audio') && outSeconds === 0;
  }

  /** Whether text in the media may have forged parts of `output`. */
  get isForged(): boolean {
    return this.#report.isForged;
  }

  /** Whether the duration in `output` may be wrong, so that the file should be probed. */
  get isDurationDoubtful(): boolean {
    const { muxer = '', outputStreams } = this.#report;
    return isDurationDoubtful(this.output.durationSeconds, this.expected, outputStreams, muxer);
  }

  /** The main output file as ffmpeg reported it. */
  get output(): Omit<JobOutput, 'path' | 'sizeBytes'> {
    const { muxer = '', outputStreams } = this.#report;
    const seconds = writtenSeconds(this.#lastBlock ?? {}, outputStreams, muxer);
    const streams = reportedStreams(muxer, outputStreams, isStillImage(muxer, this.#lastBlock?.frame ?? 0));
    return { ...(seconds === undefined ? {} : { durationSeconds: seconds }), streams };
  }
}

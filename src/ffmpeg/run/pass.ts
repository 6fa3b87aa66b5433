import type { JobOutput } from '../../domain/job.ts';
import type { Plan } from '../../domain/plan.ts';
import { isComplaint } from '../log/classify.ts';
import { type LogLine, parseLogLine, uncolored } from '../log/log-line.ts';
import type { ReadableLog } from '../log/readable-log.ts';
import { ReportReader } from '../log/report.ts';
import { type Command, type LaunchedProcess, launch } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { expectedSeconds, isDurationDoubtful, isStillImage, writtenSeconds } from './output-duration.ts';
import type { Observed } from './policy-violations.ts';
import { type ProgressBlock, ProgressReader } from './progress.ts';
import { reportedStreams } from './reported-streams.ts';

/** Complaints kept of either end: a damaged file can bring millions. */
const MOST_COMPLAINTS = 200;
const LAST_LINES = 30;

/** One run of ffmpeg and what is learned of it on the way. */
export class Pass {
  readonly process: LaunchedProcess;
  readonly #plan: Plan;
  readonly #log: ReadableLog;
  readonly #report = new ReportReader();
  readonly #complaints: LogLine[] = [];
  readonly #last: string[] = [];
  #begun = false;
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
      err: new LineSplitter((line) => this.#hear(line)),
    });
  }

  #hear(raw: string): void {
    const line = parseLogLine(raw);
    this.#report.feed(line);
    this.#log.add(line);
    this.#last.push(uncolored(raw));
    if (this.#last.length > LAST_LINES) this.#last.shift();
    const tells = isComplaint(line, this.#begun);
    this.#begun ||= line.level !== undefined;
    if (!tells) return;
    this.#complaints.push(line);
    // The first ones name the cause, the last ones the end.
    if (this.#complaints.length > MOST_COMPLAINTS) this.#complaints.splice(MOST_COMPLAINTS / 2, 1);
  }

  /** Seconds that this pass will write, once the inputs are open and told their lengths. */
  get expected(): number | undefined {
    return expectedSeconds(this.#plan, this.#report.inputs);
  }

  /** Whether the output's header is written. */
  get hasOutput(): boolean {
    return this.#report.muxer !== undefined;
  }

  get lastBlock(): ProgressBlock | undefined {
    return this.#lastBlock;
  }

  /** What may tell why it failed. */
  get complaints(): readonly LogLine[] {
    return this.#complaints;
  }

  get observed(): Observed {
    const { inputs, outputStreams } = this.#report;
    return { inputs, outputStreams, outSeconds: this.#lastBlock?.outSeconds ?? 0, complaints: this.#complaints };
  }

  get lastLines(): string {
    return this.#last.join('\n');
  }

  /** Whether it ended without one frame or sample, which ffmpeg itself takes for a success. */
  get wroteNothing(): boolean {
    const { frame, outSeconds } = this.#lastBlock ?? {};
    const has = (type: string): boolean => this.#report.outputStreams.some((stream) => stream.type === type);
    if (has('video')) return frame === 0 && (outSeconds ?? 0) === 0;
    return has('audio') && outSeconds === 0;
  }

  /** Whether `output` is a tag's work, at least in part. */
  get isForged(): boolean {
    return this.#report.isForged;
  }

  /** Whether the length of `output` is better asked of the file itself. */
  get isDurationDoubtful(): boolean {
    const { muxer = '', outputStreams } = this.#report;
    return isDurationDoubtful(this.output.durationSeconds, this.expected, outputStreams, muxer);
  }

  /** What was written, of the file that stands for the output. */
  get output(): Omit<JobOutput, 'path' | 'sizeBytes'> {
    const { muxer = '', outputStreams } = this.#report;
    const seconds = writtenSeconds(this.#lastBlock ?? {}, outputStreams, muxer);
    const streams = reportedStreams(muxer, outputStreams, isStillImage(muxer, this.#lastBlock?.frame ?? 0));
    return { ...(seconds === undefined ? {} : { durationSeconds: seconds }), streams };
  }
}

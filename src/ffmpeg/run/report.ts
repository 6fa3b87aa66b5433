import type { OutputStream } from '../../domain/job.ts';
import type { LogLine } from './log-line.ts';
import { parseStreamLine } from './stream-line.ts';

/** What ffmpeg said of one input when it opened it. */
export interface InputReport {
  /** ffmpeg's name for the format, all of its aliases: `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly demuxer: string;
  /** Absent where ffmpeg answers N/A. */
  readonly durationSeconds?: number;
  readonly streams: readonly OutputStream[];
}

const INPUT = /^Input #(\d+), ([\w,.+-]+), from '/;
const OUTPUT = /^Output #(\d+), ([\w,.+-]+), to '/;
const DURATION = /^ {2}Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?),/;

/** More than this of any list is noise: a request has at most 100 inputs. */
const MOST = 1000;

/**
 * Reads what ffmpeg tells on stderr of its inputs and its output, so that no ffprobe has to be started. A
 * title or comment of a file cannot forge a line: ffmpeg indents them deeper.
 */
export class ReportReader {
  readonly #inputs: { demuxer: string; durationSeconds?: number; streams: OutputStream[] }[] = [];
  readonly #outputStreams: OutputStream[] = [];
  #section: 'input' | 'output' | undefined;
  #muxer: string | undefined;

  feed(line: LogLine): void {
    if (line.level !== 'info' || line.component !== undefined) return;
    const { text } = line;
    const input = INPUT.exec(text);
    const output = OUTPUT.exec(text);
    if (input !== null) {
      this.#section = this.#inputs.length < MOST ? 'input' : undefined;
      if (this.#section === 'input') this.#inputs.push({ demuxer: input[2] ?? '', streams: [] });
    } else if (output !== null) {
      this.#section = 'output';
      this.#muxer = output[2] ?? '';
    } else if (!text.startsWith(' ')) this.#section = undefined;
    else this.#feedSection(text);
  }

  #feedSection(text: string): void {
    const current = this.#inputs.at(-1);
    const duration = DURATION.exec(text);
    if (this.#section === 'input' && current !== undefined && duration !== null) {
      current.durationSeconds = Number(duration[1]) * 3600 + Number(duration[2]) * 60 + Number(duration[3]);
      return;
    }
    const stream = this.#section === undefined ? undefined : parseStreamLine(text);
    if (stream === undefined) return;
    const list = this.#section === 'output' ? this.#outputStreams : current?.streams;
    if (list !== undefined && list.length < MOST) list.push(stream);
  }

  get inputs(): readonly InputReport[] {
    return this.#inputs;
  }

  /** Empty until the output's header is written. */
  get outputStreams(): readonly OutputStream[] {
    return this.#outputStreams;
  }

  /** The output's format once its header is written: from here on there is something to end gracefully. */
  get muxer(): string | undefined {
    return this.#muxer;
  }
}

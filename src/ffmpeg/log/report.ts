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

/** What follows a stream's language. */
const AFTER_LANGUAGE = /\): (?:Video|Audio|Subtitle|Data|Attachment)\b/;
/** Far more than a stream line holds whose language is one. */
const LONGEST_STREAM_LINE = 600;

const MAPPING = 'Stream mapping:';
/** `  Stream #0:1 -> #0:0 (copy)`, `  scale:default -> Stream #0:0 (libx264)`. */
const MAPPED = /^ {2}.* -> (?:Stream )?#\d+:(\d+) \(/;

/**
 * Reads what ffmpeg tells on stderr of its inputs and its output, so that no ffprobe has to be started. A title or
 * comment of a file cannot forge a line, as ffmpeg indents its further lines deeper; but the name of a tag can, and a
 * language. The former can only add lines, and of the output ffmpeg tells everything once: what is there twice, or is
 * one stream more than were mapped, gives it away. The latter can end its own line, and leaves the rest of it somewhere.
 */
export class ReportReader {
  readonly #inputs: { demuxer: string; durationSeconds?: number; streams: OutputStream[] }[] = [];
  readonly #outputStreams: OutputStream[] = [];
  readonly #mapped = new Set<number>();
  #section: 'input' | 'output' | 'mapping' | undefined;
  #muxer: string | undefined;
  #hasMapping = false;
  #imitated = false;

  feed(line: LogLine): void {
    // The mapping tells of codecs and filters alone, nothing that a file words.
    if (this.#muxer !== undefined && this.#section !== 'mapping') this.#imitated ||= isOdd(line.text);
    if (line.level !== 'info' || line.component !== undefined) return;
    const { text } = line;
    const input = INPUT.exec(text);
    const output = OUTPUT.exec(text);
    if (input !== null) {
      this.#section = this.#inputs.length < MOST ? 'input' : undefined;
      if (this.#section === 'input') this.#inputs.push({ demuxer: input[2] ?? '', streams: [] });
    } else if (output !== null) {
      this.#imitated ||= this.#muxer !== undefined;
      this.#section = 'output';
      this.#muxer = output[2] ?? '';
    } else if (text === MAPPING) {
      this.#imitated ||= this.#hasMapping;
      this.#hasMapping = true;
      this.#section = 'mapping';
    } else if (!text.startsWith(' ')) this.#section = undefined;
    else this.#feedSection(text);
  }

  #feedSection(text: string): void {
    if (this.#section === 'mapping') {
      const target = MAPPED.exec(text)?.[1];
      if (target !== undefined && this.#mapped.size < MOST) this.#mapped.add(Number(target));
      return;
    }
    const current = this.#inputs.at(-1);
    const duration = DURATION.exec(text);
    if (this.#section === 'input' && current !== undefined && duration !== null) {
      current.durationSeconds = Number(duration[1]) * 3600 + Number(duration[2]) * 60 + Number(duration[3]);
      return;
    }
    const stream = this.#section === undefined ? undefined : parseStreamLine(text);
    if (stream === undefined) return;
    const list = this.#section === 'output' ? this.#outputStreams : current?.streams;
    if (this.#section === 'output') this.#imitated ||= stream.index !== this.#outputStreams.length;
    if (list !== undefined && list.length < MOST) list.push(stream);
  }

  get inputs(): readonly InputReport[] {
    return this.#inputs;
  }

  /** Empty until the output's header is written. */
  get outputStreams(): readonly OutputStream[] {
    return this.#outputStreams;
  }

  /** Whether some lines of the output are a file's own words. Which of them, nobody can tell. */
  get isForged(): boolean {
    return this.#imitated || (this.#mapped.size > 0 && this.#outputStreams.length > this.#mapped.size);
  }

  /** The output's format once its header is written: from here on there is something to end gracefully. */
  get muxer(): string | undefined {
    return this.#muxer;
  }
}

/** Whether a line is a stream's, but not as ffmpeg writes one by itself, or a part of one. */
function isOdd(text: string): boolean {
  if (!text.startsWith('  Stream #')) return AFTER_LANGUAGE.test(text);
  return (
    text.length > LONGEST_STREAM_LINE ||
    parseStreamLine(text) === undefined ||
    AFTER_LANGUAGE.test(text.replace(AFTER_LANGUAGE, ''))
  );
}

import { plainText } from '../../domain/text-validation.ts';
import { isAllowedLogLine } from './log-allowlist.ts';
import type { LogLine } from './log-line.ts';

/** What a caller may read of one job's log, bytes; the last quarter of it is kept for how it ended. */
const MOST_BYTES = 64 * 1024;
const TAIL_BYTES = MOST_BYTES / 4;
/** Room for the closing line. */
const HEAD_BYTES = MOST_BYTES - TAIL_BYTES - 100;
const LONGEST_LINE = 500;

/** Answers a word that the service puts into every argv; it tells a reader nothing. */
const NOISE = /^ffmpeg stats and -progress period set to /;

/** Stands before every name in the argv, so that none is read as an address; it tells a reader nothing. */
const PROTOCOL = /\bfile:(?=(?:in|out|pass)\/)/g;

/**
 * The log that a caller may read: of ffmpeg's lines those whose shape is known, bounded in length and number,
 * without addresses of memory and without control characters. Of what is left out only the number is told.
 */
export class ReadableLog {
  #head = '';
  #tail: string[] = [];
  #tailBytes = 0;
  #headBytes = 0;
  #leftOut = 0;

  add(line: LogLine): void {
    if (line.text.trim() === '' || NOISE.test(line.text)) return;
    if (!isAllowedLogLine(line)) {
      this.#leftOut++;
      return;
    }
    const clean = plainText(line.text.replace(PROTOCOL, '')).trimEnd();
    const source = line.component === undefined ? '' : `[${line.component}] `;
    const loud = line.level === undefined || line.level === 'info' ? '' : `[${line.level}] `;
    this.#keep(`${loud}${source}${clean}`.slice(0, LONGEST_LINE).toWellFormed());
  }

  #keep(line: string): void {
    const size = Buffer.byteLength(line) + 1;
    if (this.#tail.length === 0 && this.#headBytes + size <= HEAD_BYTES) {
      this.#head += `${line}\n`;
      this.#headBytes += size;
      return;
    }
    this.#tail.push(line);
    this.#tailBytes += size;
    while (this.#tailBytes > TAIL_BYTES) {
      this.#tailBytes -= Buffer.byteLength(this.#tail.shift() ?? '') + 1;
      this.#leftOut++;
    }
  }

  /** A line of the service itself. */
  note(text: string): void {
    this.#keep(text);
  }

  /** Lines that end with a line feed; '' before the first. At most 64 KiB of UTF-8. */
  text(): string {
    const tail = this.#tail.map((line) => `${line}\n`).join('');
    const note =
      this.#leftOut === 0 ? '' : `${this.#leftOut} other ${this.#leftOut === 1 ? 'line' : 'lines'} left out\n`;
    return `${this.#head}${tail}${note}`;
  }
}

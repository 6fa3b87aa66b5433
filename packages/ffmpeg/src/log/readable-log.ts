import { plainText } from '@telecine/contract/domain/text-validation.ts';
import { isAllowedLogLine } from './log-allowlist.ts';
import type { LogLine } from './log-line.ts';

/** The maximum size of a job log for a client, in bytes. A quarter of it is for the end of the log. */
const MAX_BYTES = 64 * 1024;
const TAIL_BYTES = MAX_BYTES / 4;
/** 100 bytes are left for the line that counts the omitted lines. */
const HEAD_BYTES = MAX_BYTES - TAIL_BYTES - 100;
const MAX_LINE_LENGTH = 500;

/** Matches a message about an option that the service itself sends. */
const NOISE = /^ffmpeg stats and -progress period set to /;

/** Matches the prefix that the service puts before file names, so that ffmpeg does not take a file name for a URL. */
const PROTOCOL = /\b(?:crypto:)?file:(?=(?:in|out|pass)\/)/g;

/** The log that a client gets: the allowed lines, up to a maximum size. Other lines are only counted. */
export class ReadableLog {
  #head = '';
  #tail: string[] = [];
  #tailBytes = 0;
  #headBytes = 0;
  #omitted = 0;

  add(line: LogLine): void {
    if (line.text.trim() === '' || NOISE.test(line.text)) return;
    if (!isAllowedLogLine(line)) {
      this.#omitted++;
      return;
    }
    const clean = plainText(line.text.replace(PROTOCOL, '')).trimEnd();
    const source = line.component === undefined ? '' : `[${line.component}] `;
    const level = line.level === undefined || line.level === 'info' ? '' : `[${line.level}] `;
    this.#append(`${level}${source}${clean}`.slice(0, MAX_LINE_LENGTH).toWellFormed());
  }

  #append(line: string): void {
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
      this.#omitted++;
    }
  }

  /** Adds a line that the service itself wrote. */
  note(text: string): void {
    this.#append(text);
  }

  /** Returns all lines, each with a line feed, or '' if there are none yet. At most 64 KiB of UTF-8. */
  text(): string {
    const tail = this.#tail.map((line) => `${line}\n`).join('');
    const note =
      this.#omitted === 0 ? '' : `${this.#omitted} other ${this.#omitted === 1 ? 'line' : 'lines'} omitted\n`;
    return `${this.#head}${tail}${note}`;
  }
}

import { isComplaint } from './classify.ts';
import type { LogLine } from './log-line.ts';

/** The maximum number of lines to keep, because a damaged file can cause millions. */
const MAX_LINES = 200;

/** Collects the lines of the ffmpeg log that may explain a failure. */
export class ComplaintReader {
  readonly #lines: LogLine[] = [];
  #hasStarted = false;

  feed(line: LogLine): void {
    if (isComplaint(line, this.#hasStarted)) this.#lines.push(line);
    this.#hasStarted ||= line.level !== undefined;
    // Drops a line from the middle: the first lines name the cause, and the last lines the result.
    if (this.#lines.length > MAX_LINES) this.#lines.splice(MAX_LINES / 2, 1);
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }
}

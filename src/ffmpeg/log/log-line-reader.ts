import { type LogLine, parseLogLines } from './log-line.ts';

/** Lines of other threads that can stand between two pieces of a line. */
const MAX_BETWEEN = 20;

/**
 * Parses ffmpeg's log line by line, and joins the pieces of a line into which another thread wrote a message. Since ffmpeg 7,
 * that happens to the description of an output, and a report with half a stream line would count as forged.
 */
export class LogLineReader {
  /** The piece before the message, and how many lines came since. */
  #open: { readonly line: LogLine; age: number } | undefined;

  /** Returns the lines that are complete. */
  feed(raw: string): readonly LogLine[] {
    const [first, ...others] = parseLogLines(raw);
    if (first === undefined) return [];
    const joined = this.#isRest(first) ? this.#join(first) : first;
    if (others.length > 0) {
      // Only a line at level info is split. Its rest begins with the level again.
      const before = joined === first ? this.#close() : [];
      this.#open = { line: joined, age: 0 };
      return [...before, ...others];
    }
    if (joined !== first || this.#open === undefined) return [joined];
    this.#open.age += 1;
    return this.#open.age > MAX_BETWEEN ? [...this.#close(), first] : [first];
  }

  /** The piece whose rest has not come, at the end of the log. */
  end(): readonly LogLine[] {
    return this.#close();
  }

  /** Whether a line is the rest of the open one. Messages of threads have a component, or a colour. */
  #isRest({ level, component, isColored }: LogLine): boolean {
    return this.#open !== undefined && level === 'info' && component === undefined && !isColored;
  }

  #join(rest: LogLine): LogLine {
    const { line } = this.#open ?? { line: rest };
    this.#open = undefined;
    return { ...line, text: `${line.text}${rest.text}` };
  }

  #close(): readonly LogLine[] {
    const { line } = this.#open ?? {};
    this.#open = undefined;
    return line === undefined ? [] : [line];
  }
}

/** The maximum length of a line, far longer than ffmpeg's lines. Without it, a hostile file could fill the memory with one line. */
const MAX_LINE_LENGTH = 4096;

/** Splits a stream of text into lines. A line may span several chunks. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #rest = '';

  /** @param onLine Called with each line, without its line feed, cut to 4096 characters. */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: string): void {
    const lines = chunk.split(/\r?\n/);
    const last = lines.pop() ?? '';
    for (const line of lines) {
      this.#onLine((this.#rest + line).slice(0, MAX_LINE_LENGTH));
      this.#rest = '';
    }
    this.#rest = (this.#rest + last).slice(0, MAX_LINE_LENGTH);
  }

  /** Call it at the end of the stream. Passes on the text after the last line feed as a line. */
  end(): void {
    if (this.#rest !== '') this.#onLine(this.#rest);
    this.#rest = '';
  }
}

/** A line longer than this is cut: ffmpeg's own are far shorter, and a hostile file must not fill the memory. */
const LONGEST = 4096;

/** Cuts a stream of text into lines at each line feed, whatever the pieces it arrives in. */
export class LineSplitter {
  readonly #take: (line: string) => void;
  #rest = '';

  /** @param take Called with each line, without its end, at most 4096 characters of it. */
  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  push(chunk: string): void {
    const pieces = chunk.split(/\r?\n/);
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      this.#take((this.#rest + piece).slice(0, LONGEST));
      this.#rest = '';
    }
    this.#rest = (this.#rest + last).slice(0, LONGEST);
  }

  /** The stream is over: what came after the last line end is a line too. */
  end(): void {
    if (this.#rest !== '') this.#take(this.#rest);
    this.#rest = '';
  }
}

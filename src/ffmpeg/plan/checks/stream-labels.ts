import type { Graph } from '../../filtergraph/graph.ts';
import type { PadKind } from '../../filtergraph/pad-kinds.ts';

export type StreamKind = 'v' | 'a';

const letterOf = (kind: PadKind): StreamKind => (kind === 'audio' ? 'a' : 'v');

/** The labels of a graph: streams of inputs for its open inputs, and names for its outputs. */
export class StreamLabels {
  readonly #used: Set<string>;
  readonly #produced: ReadonlySet<string>;
  readonly #inputs: number;
  readonly #isNumbered: boolean;
  readonly #next = { v: 0, a: 0 };
  /** The numbers of the next fresh labels. */
  readonly #fresh = { v: 1, a: 1 };
  #isInputMissing = false;

  /** With `isNumbered`, the streams are those of the only input: `[0:a:0][0:a:1]`. */
  constructor({ chains }: Graph, inputs: number, isNumbered = false) {
    const filters = chains.flat();
    this.#produced = new Set(filters.flatMap(({ outputs }) => outputs));
    this.#used = new Set([...this.#produced, ...filters.flatMap((filter) => filter.inputs)]);
    this.#inputs = inputs;
    this.#isNumbered = isNumbered;
  }

  /** Whether the graph has used an input that the request does not have. */
  get isInputMissing(): boolean {
    return this.#isInputMissing;
  }

  /** How many streams of inputs the graph uses. */
  get count(): number {
    return [...this.#used].filter((label) => /^\d/.test(label)).length + this.#next.v + this.#next.a;
  }

  /** Whether a label names a stream of an input, or an output of the graph. */
  exists(label: string): boolean {
    return this.#produced.has(label) || Number(/^\d{1,4}(?=:|$)/.exec(label)?.[0] ?? this.#inputs) < this.#inputs;
  }

  /** The next stream of a kind that the graph does not use. undefined if the request has too few inputs of sound. */
  next(kind: PadKind): string | undefined {
    const letter = letterOf(kind);
    if (this.#isNumbered) {
      if (this.#inputs !== 1 || letter === 'v') return undefined;
      this.#next[letter] += 1;
      return `0:${letter}:${this.#next[letter] - 1}`;
    }
    let label = '';
    do {
      label = `${this.#next[letter]}:${letter}`;
      this.#next[letter] += 1;
    } while (this.#used.has(label));
    if (this.#next[letter] <= this.#inputs) return label;
    // The other picture may be a file that the request lacks. The other sound may be in the same file.
    if (letter === 'a' || this.#next[letter] > this.#inputs + 1) return undefined;
    this.#isInputMissing = true;
    return label;
  }

  /** A name that the graph does not have yet: `v`, `v2`. */
  fresh(kind: PadKind): string {
    const letter = letterOf(kind);
    let label: string;
    do {
      label = this.#fresh[letter] === 1 ? letter : `${letter}${this.#fresh[letter]}`;
      this.#fresh[letter] += 1;
    } while (this.#used.has(label));
    this.#used.add(label);
    return label;
  }
}

/** An option of a filter as written: `scale=640:h=-2` has a positional and a named option. */
export interface GraphOption {
  /** Absent for a positional option; the filter determines which option it is. */
  readonly key?: string;
  /** Unquoted on both levels. */
  readonly value: string;
}

/** One filter of a chain with the labels of its links, unquoted. */
export interface GraphFilter {
  /** Input labels without brackets: `0:v`, `base`. */
  readonly inputs: readonly string[];
  readonly name: string;
  /** `movie@x` is the filter `movie` with the instance name `x`. */
  readonly instance?: string;
  readonly options: readonly GraphOption[];
  readonly outputs: readonly string[];
  /** Offset in the text, in UTF-16 units, for messages. */
  readonly at: number;
}

/** Filters that feed one another in order: `a,b,c`. */
export type GraphChain = readonly GraphFilter[];

/** A filtergraph as ffmpeg's parser reads it. */
export interface Graph {
  /** The value of a leading `sws_flags=…;`. ffmpeg applies it to every `scale` without its own flags. */
  readonly scalerFlags?: string;
  readonly chains: readonly GraphChain[];
}

/** A syntax error in a filtergraph, as a sentence without a full stop. */
export interface GraphError {
  readonly error: string;
  /** Offset in the text, in UTF-16 units. */
  readonly at: number;
}

export const isGraphError = (read: Graph | GraphError): read is GraphError => 'error' in read;

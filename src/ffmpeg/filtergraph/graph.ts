/** An option of a filter as it was written: `scale=640:h=-2` has a positional one and a named one. */
export interface GraphOption {
  /** Absent: positional; which option is meant follows from the filter. */
  readonly key?: string;
  /** Both levels of quoting undone. */
  readonly value: string;
}

/** One filter of a chain with the labels of its links, all quoting undone. */
export interface GraphFilter {
  /** Labels before it, without brackets: `0:v`, `base`. */
  readonly inputs: readonly string[];
  readonly name: string;
  /** `movie@x` is the filter `movie` called `x`. */
  readonly instance?: string;
  readonly options: readonly GraphOption[];
  readonly outputs: readonly string[];
  /** Offset in the text, in UTF-16 units, for messages. */
  readonly at: number;
}

/** Filters that feed one another: `a,b,c`. */
export type GraphChain = readonly GraphFilter[];

/** A filtergraph, as ffmpeg's parser would understand it. */
export interface Graph {
  /** What a leading `sws_flags=…;` says; ffmpeg hands it to every `scale` without flags of its own. */
  readonly scalerFlags?: string;
  readonly chains: readonly GraphChain[];
}

/** Why a text is no filtergraph, in a sentence, and where. */
export interface GraphError {
  readonly error: string;
  /** Offset in the text, in UTF-16 units. */
  readonly at: number;
}

export const isGraphError = (read: Graph | GraphError): read is GraphError => 'error' in read;

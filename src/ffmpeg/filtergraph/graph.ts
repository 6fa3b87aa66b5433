import type { TextSpan } from '../../domain/problem.ts';

/** An option of a filter as written: `scale=640:h=-2` has a positional and a named option. */
export interface GraphOption {
  /** The name of the option. Absent for a positional option, whose name the filter determines. */
  readonly key?: string;
  /** The value, with the quotes and backslashes of both levels removed. */
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
  /** The offset of the filter in the text, in UTF-16 code units, for messages. */
  readonly at: number;
}

/** Filters of which each feeds the next one: `a,b,c`. */
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
  /** The offset of the error in the text, in UTF-16 code units. */
  readonly at: number;
  /** The graph that the client probably means, in canonical text. */
  readonly meant?: string;
}

/** The character at which the parser stopped, or the end of the text. */
export const errorSpan = ({ at }: GraphError, text: string): TextSpan => ({
  offset: at,
  length: Math.min(1, text.length - at),
});

export const isGraphError = (read: Graph | GraphError): read is GraphError => 'error' in read;

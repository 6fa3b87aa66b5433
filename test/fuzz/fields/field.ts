/** A number in the structure of a file: a size, a count, a dimension, a rate. */
export interface Field {
  readonly name: string;
  readonly at: number;
  readonly length: number;
  readonly little?: boolean;
}

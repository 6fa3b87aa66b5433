/** A value as a person says it, with words that the text of an argument has if it means this value. */
interface Wanted {
  readonly words: RegExp;
  readonly value: string | number;
}

/** What a person says of a task. It holds no name that only the service can know. */
export interface Wish {
  /** What to do. */
  readonly words: string;
  /** The files in the order in which the person names them. */
  readonly files: readonly string[];
  /** The folder of the result. */
  readonly folder: string;
  readonly values?: readonly Wanted[];
}

/**
 * How inputs are joined to one, each after the one before it. `copy`: their packets, unchanged, which works for files of the
 * same kind. `encode`: their pictures and sounds, made alike by filters.
 */
export const JOINS = ['copy', 'encode'] as const;
export type Join = (typeof JOINS)[number];

/** What a request has that a join of its inputs depends on. */
interface JoinableRequest {
  /** Whether it copies streams, which a join can do too. */
  readonly copies: boolean;
  /** The names of options that are not for joined inputs, such as `shortest`. */
  readonly dropped: readonly string[];
}

/** The fix that shows inputs one after the other. */
export function joiningFix({ copies, dropped }: JoinableRequest): string {
  const out = dropped.length === 0 ? '' : `, and leave ${dropped.map((name) => `"${name}"`).join(' and ')} out`;
  const how = copies ? 'To join them without encoding' : 'To join them';
  return `${how}, send "join": "${copies ? 'copy' : 'encode'}"${out}. To choose streams, send "map".`;
}

/** The same for inputs of which it is not known whether they are to be joined. */
export const JOIN_OR_MAP = 'Send "map" to choose streams, or "join": "encode" to show the inputs one after the other.';

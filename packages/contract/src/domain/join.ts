/** How inputs are joined. `copy` keeps the packets, so the codecs of all inputs must be equal. `encode` makes them alike with filters. */
export const JOINS = ['copy', 'encode'] as const;
export type Join = (typeof JOINS)[number];

/** The properties of a request that decide how its inputs can be joined. */
interface JoinableRequest {
  /** Whether the request copies streams. The fix then proposes `"join": "copy"`. */
  readonly copies: boolean;
  /** The names of options that do not work with joined inputs, such as `shortest`. */
  readonly dropped: readonly string[];
}

/** The fix that joins the inputs, so that they play one after the other. */
export function joiningFix({ copies, dropped }: JoinableRequest): string {
  const out = dropped.length === 0 ? '' : `, and leave ${dropped.map((name) => `"${name}"`).join(' and ')} out`;
  const how = copies ? 'To join them without encoding' : 'To join them';
  return `${how}, send "join": "${copies ? 'copy' : 'encode'}"${out}. To choose streams, send "map".`;
}

/** The fix if the client may want to join the inputs, or to choose streams from them. */
export const JOIN_OR_MAP = 'Send "map" to choose streams, or "join": "encode" to play the inputs one after the other.';

/** How inputs are joined: `copy` keeps their packets, which must be of one kind; `encode` makes video and audio alike by filters. */
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

/** The fix for inputs that the client may want to join or to choose streams from. */
export const JOIN_OR_MAP = 'Send "map" to choose streams, or "join": "encode" to show the inputs one after the other.';

const LEVELS = ['panic', 'fatal', 'error', 'warning', 'info', 'verbose', 'debug', 'trace'] as const;

export type LogLevel = (typeof LEVELS)[number];

/** One parsed line of ffmpeg's stderr at `-loglevel level+info`, or `level+verbose`. */
export interface LogLine {
  /** undefined if ffmpeg's logger did not write the line: x265, SVT-AV1, a sandbox tool, or the rest of a message. */
  readonly level: LogLevel | undefined;
  /** The source, such as `libx264` or `mov,mp4,m4a,3gp,3g2,mj2`; the innermost if ffmpeg names two. */
  readonly component: string | undefined;
  /** The message with its leading spaces, which distinguish an `Input` line from its details. */
  readonly text: string;
  /**
   * Whether the level is coloured. ffmpeg colours all levels but info. Text in a media file cannot forge the colour.
   */
  readonly isColored: boolean;
}

const PREFIX = new RegExp(`^((?:\\[[^\\]]{1,80} @ (?:0x)?[0-9a-fA-F]+\\] )*)\\[(${LEVELS.join('|')})\\] ?(.*)$`);
const COMPONENT = /\[([^\]]{1,80}) @ (?:0x)?[0-9a-fA-F]+\] $/;

/**
 * The service makes ffmpeg colour its log. A tag name or a language in the media can forge whole lines with levels, but
 * not their colour, because ffmpeg replaces escape characters in messages by question marks.
 */
const COLOR = String.raw`\u001b\[[\d;]{1,20}m`;
const COLORS = new RegExp(COLOR, 'g');
const COLORED_LEVEL = new RegExp(`${COLOR}\\[(?:${LEVELS.join('|')})\\] \u001b\\[0m`);

/** Removes the colour codes from a line. */
export const uncolored = (raw: string): string => raw.replace(COLORS, '');

export function parseLogLine(raw: string): LogLine {
  const plain = uncolored(raw);
  const match = PREFIX.exec(plain);
  if (match === null) return { level: undefined, component: undefined, text: plain, isColored: false };
  return {
    level: match[2] as LogLevel,
    component: COMPONENT.exec(match[1] ?? '')?.[1],
    text: match[3] ?? '',
    isColored: COLORED_LEVEL.test(raw),
  };
}

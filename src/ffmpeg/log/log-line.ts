const LEVELS = ['panic', 'fatal', 'error', 'warning', 'info', 'verbose', 'debug', 'trace'] as const;

export type LogLevel = (typeof LEVELS)[number];

/** One line of ffmpeg's stderr at `-loglevel level+info`, taken apart. */
export interface LogLine {
  /** undefined: written past ffmpeg's log (x265, SVT-AV1, a sandbox tool, the second line of a message). */
  readonly level: LogLevel | undefined;
  /** What spoke: `libx264`, `mov,mp4,m4a,3gp,3g2,mj2`; the innermost where ffmpeg names two. */
  readonly component: string | undefined;
  /** The message, its leading blanks kept: they tell an `Input` line from what belongs to it. */
  readonly text: string;
  /** The level is coloured, as ffmpeg colours all but info: no file can word such a line. */
  readonly isColored: boolean;
}

const PREFIX = new RegExp(`^((?:\\[[^\\]]{1,80} @ (?:0x)?[0-9a-fA-F]+\\] )*)\\[(${LEVELS.join('|')})\\] ?(.*)$`);
const COMPONENT = /\[([^\]]{1,80}) @ (?:0x)?[0-9a-fA-F]+\] $/;

/**
 * The service has ffmpeg colour its log. A message may hold whole lines that a file words (the name of a tag, a
 * language), levels and all; but escapes in a message ffmpeg turns into question marks.
 */
const COLOR = String.raw`\u001b\[[\d;]{1,20}m`;
const COLORS = new RegExp(COLOR, 'g');
const COLORED_LEVEL = new RegExp(`${COLOR}\\[(?:${LEVELS.join('|')})\\] \u001b\\[0m`);

/** A line without its colours. */
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

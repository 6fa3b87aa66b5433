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
}

const PREFIX = new RegExp(`^((?:\\[[^\\]]{1,80} @ (?:0x)?[0-9a-fA-F]+\\] )*)\\[(${LEVELS.join('|')})\\] ?(.*)$`);
const COMPONENT = /\[([^\]]{1,80}) @ (?:0x)?[0-9a-fA-F]+\] $/;

export function parseLogLine(raw: string): LogLine {
  const match = PREFIX.exec(raw);
  if (match === null) return { level: undefined, component: undefined, text: raw };
  return {
    level: match[2] as LogLevel,
    component: COMPONENT.exec(match[1] ?? '')?.[1],
    text: match[3] ?? '',
  };
}

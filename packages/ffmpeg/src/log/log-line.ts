const LEVELS = ['panic', 'fatal', 'error', 'warning', 'info', 'verbose', 'debug', 'trace'] as const;

type LogLevel = (typeof LEVELS)[number];

/** A line of the ffmpeg log (`-loglevel level+info` or `level+verbose`). */
export interface LogLine {
  /** undefined: the line is from x265, SVT-AV1 or a sandbox tool instead of ffmpeg's logger, or continues a message of several lines. */
  readonly level: LogLevel | undefined;
  /** What logged the line: `libx264`, `mov,mp4,m4a,3gp,3g2,mj2`. If the line names two components, this is the second. */
  readonly component: string | undefined;
  /** The message. Leading spaces are kept: only the lines that follow an `Input` line have them. */
  readonly text: string;
  /** True if the level is coloured, which text in a media file cannot forge. ffmpeg colours all levels except info. */
  readonly isColored: boolean;
}

const PREFIX = new RegExp(`^((?:\\[[^\\]]{1,80} @ (?:0x)?[0-9a-fA-F]+\\] )*)\\[(${LEVELS.join('|')})\\] ?(.*)$`);
const COMPONENT = /\[([^\]]{1,80}) @ (?:0x)?[0-9a-fA-F]+\] $/;

/**
 * The service makes ffmpeg colour its log, because a tag name or a language in the media can forge a whole line, but not its colour: in
 * messages, ffmpeg replaces escape characters by question marks.
 */
const COLOR = String.raw`\u001b\[[\d;]{1,20}m`;
const COLORS = new RegExp(COLOR, 'g');
const COLORED_LEVEL = new RegExp(`${COLOR}\\[(?:${LEVELS.join('|')})\\] \u001b\\[0m`);

export const uncolored = (raw: string): string => raw.replace(COLORS, '');

/** Matches a line at level info into which another thread wrote a coloured message. */
const MERGED = new RegExp(
  `^((?:${COLOR})*(?:\\[[^\\]]{1,80}\\] (?:${COLOR})*)?\\[info\\] [^\u001b]*)((?:${COLOR})+)([^\u001b]+)`,
);
/** The end of the colour code of each level, for 16 and 256 colours (log.c, 5.1 to 8). */
const LEVEL_OF_COLOR: readonly (readonly [RegExp, LogLevel])[] = [
  [/(?:4;31|;208)m$/, 'fatal'],
  [/(?:1;31|;196)m$/, 'error'],
  [/(?:0;33|;226)m$/, 'warning'],
  [/(?:0;32|;40)m$/, 'verbose'],
];

/**
 * Parses the text up to a line feed. It is usually one line. But ffmpeg writes the description of an output in pieces, and since ffmpeg 7,
 * other threads write messages between the pieces. Only the colour of such a message shows its level.
 */
export function parseLogLines(raw: string): readonly LogLine[] {
  const [, head, color = '', text] = MERGED.exec(raw) ?? [];
  const level = LEVEL_OF_COLOR.find(([shape]) => shape.test(color))?.[1];
  if (head === undefined || text === undefined || level === undefined) return [parseLogLine(raw)];
  return [parseLogLine(head), { level, component: undefined, text, isColored: true }];
}

const REPEATED = /^ {4}Last message repeated (\d{1,9}) times$/;

/** Returns the number in `Last message repeated 3 times`. undefined: another line. */
export function repetitionsIn({ level, text }: LogLine): number | undefined {
  const count = level === undefined ? REPEATED.exec(text)?.[1] : undefined;
  return count === undefined ? undefined : Number(count);
}

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

/** The maximum number of lines of other threads between two pieces of a line. */
const MAX_BETWEEN = 20;

/** Parses the ffmpeg log, and joins lines that other threads split: half a line about a stream would look forged. */
export class LogLineReader {
  /** The first piece of a split line, and the number of lines since then. */
  #open: { readonly line: LogLine; age: number } | undefined;

  /** Adds the text of a line. Returns the lines that are complete with it. */
  feed(raw: string): readonly LogLine[] {
    const [first, ...others] = parseLogLines(raw);
    if (first === undefined) return [];
    const joined = this.#isRest(first) ? this.#join(first) : first;
    if (others.length > 0) {
      // Only lines at level info are split. The second piece begins with the level again.
      const before = joined === first ? this.end() : [];
      this.#open = { line: joined, age: 0 };
      return [...before, ...others];
    }
    if (joined !== first || this.#open === undefined) return [joined];
    this.#open.age += 1;
    return this.#open.age > MAX_BETWEEN ? [...this.end(), first] : [first];
  }

  /** Call it at the end of the log. Returns the first piece of a line whose rest never came. */
  end(): readonly LogLine[] {
    const { line } = this.#open ?? {};
    this.#open = undefined;
    return line === undefined ? [] : [line];
  }

  /** True if a line is the rest of the split line. A message of another thread has a component or a colour. */
  #isRest({ level, component, isColored }: LogLine): boolean {
    return this.#open !== undefined && level === 'info' && component === undefined && !isColored;
  }

  #join(rest: LogLine): LogLine {
    const { line } = this.#open ?? { line: rest };
    this.#open = undefined;
    return { ...line, text: `${line.text}${rest.text}` };
  }
}

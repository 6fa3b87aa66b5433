import { trustedLines } from './classify.ts';
import type { LogLine } from './log-line.ts';

/** The end of a filtergraph that gave an output stream no frame. Since release 7, ffmpeg opens the encoder all the same. */
const NO_FRAMES = /^No filtered frames for output stream\b/;
/** The filtergraph of a stream: `vf#0:1`, `af#0:1`, and for a complex one `vo0->#0:1`. */
const GRAPH = /(?:^[av]f#|->#)(\d+:\d+)$/;
/** What the encoder of a stream says that ended before its first frame. */
const NOT_OPENED = 'Could not open encoder before EOF';
/** What writes an output: `vost#0:1/mjpeg`, `out#0/gif`. */
const WRITER = /^(?:[vas]ost#(\d+:\d+)|out#(\d+))(?:\/|$)/;

/**
 * Returns the number of the output that could not be written only because a stream of it got no frame. undefined if the
 * run failed for another reason. Since release 7, ffmpeg guesses the settings of an encoder without frames, and many
 * encoders and muxers reject the guess: mjpeg its colour range, mpeg2video its frame rate, and GIF has no end.
 */
export function emptyOutput(lines: readonly LogLine[]): number | undefined {
  const empty = new Set<string>();
  let isFirstError = true;
  for (const { level, text, component = '' } of trustedLines(lines)) {
    const graph = NO_FRAMES.test(text) ? GRAPH.exec(component)?.[1] : undefined;
    if (graph !== undefined) empty.add(graph).add(graph.replace(/:.*/, ''));
    if (level !== 'error' && level !== 'fatal') continue;
    const [, stream, output] = WRITER.exec(component) ?? [];
    const writer = stream ?? output;
    if (isFirstError && stream !== undefined && text === NOT_OPENED) return Number.parseInt(stream, 10);
    // An error before the end of the graph may be why no frame came.
    if (empty.size === 0) return undefined;
    if (writer !== undefined) return empty.has(writer) ? Number.parseInt(writer, 10) : undefined;
    isFirstError = false;
  }
  return undefined;
}

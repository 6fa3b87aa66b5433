import type { OutputFiles } from '../../domain/plan.ts';
import type { LogLine } from '../log/log-line.ts';
import type { FinishedPass } from '../rules/facts/finished-pass.ts';

/** The path below `out/` and the extension of a file that ffmpeg opens. */
const OPENED = /^Opening '(?:crypto:)?(?:file:)?out\/(.{0,300}\.(\w{1,5}))' for writing$/;

const SEGMENT_MUXERS: ReadonlySet<string> = new Set(['hls', 'segment', 'stream_segment,ssegment']);

/** Whether a file is media, not a playlist or the start of fragmented MP4. */
const isSegment = (name: string, extension: string): boolean =>
  !/init\.mp4$/.test(name) && !/^(?:m3u8|tmp|vtt)$/.test(extension);

/** The playlist that ffmpeg writes again for each segment. */
const PLAYLIST = /^Opening '(?:file:)?out\/(.{1,300}\.m3u8)(?:\.tmp)?' for writing$/;

/** Counts the files that ffmpeg opens for outputs with several files. */
export class WrittenFiles {
  readonly #outputs: readonly Pick<OutputFiles, 'subfolder'>[];
  readonly #segments = new Map<number, number>();
  /** How often each playlist was written. */
  readonly #playlists = new Map<number, Map<string, number>>();

  constructor(outputs: readonly Pick<OutputFiles, 'subfolder'>[]) {
    this.#outputs = outputs;
  }

  feed({ component = '', text }: LogLine): void {
    if (!SEGMENT_MUXERS.has(component)) return;
    const [, name, extension = ''] = OPENED.exec(text) ?? [];
    if (name !== undefined && isSegment(name, extension)) {
      const index = this.#outputWith(name);
      this.#segments.set(index, (this.#segments.get(index) ?? 0) + 1);
    }
    const playlist = component === 'hls' ? PLAYLIST.exec(text)?.[1] : undefined;
    if (playlist === undefined) return;
    const index = this.#outputWith(playlist);
    const counts = this.#playlists.get(index) ?? new Map<string, number>();
    counts.set(playlist, (counts.get(playlist) ?? 0) + 1);
    this.#playlists.set(index, counts);
  }

  #outputWith(name: string): number {
    return this.#outputs.findIndex(({ subfolder }) => name.startsWith(subfolder));
  }

  /** What was written for the output with this index. */
  of(index: number): Pick<FinishedPass, 'segments' | 'playlistWrites'> {
    const playlists = this.#playlists.get(index) ?? new Map<string, number>();
    return { segments: this.#segments.get(index) ?? 0, playlistWrites: Math.max(0, ...playlists.values()) };
  }
}

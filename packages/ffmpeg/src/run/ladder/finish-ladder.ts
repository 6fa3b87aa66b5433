import { lstat, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { OutputLadder, PlannedLadder } from '@telecine/contract/domain/ladder.ts';
import type { PlannedOutput } from '@telecine/contract/domain/plan.ts';
import { isPlannedName } from '@telecine/contract/domain/planned-names.ts';
import { readRegularFile } from '../../process/regular-file.ts';
import type { LadderPoint } from '../../quality/ladder.ts';
import type { PreparedRun } from '../conversion-run.ts';
import { playlistsIn, withMeasuredRates } from './master-playlist.ts';
import { type MediaRates, parseMediaPlaylist, ratesOf } from './media-rates.ts';
import type { FoundLadder } from './search-ladder.ts';

/** The maximum size of a playlist, in bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

/** The most segments of a playlist. Each needs a look at its file. */
const MAX_SEGMENTS = 50_000;

/** The number of digits after the point of a score. */
const DIGITS = 4;

/** Writes the true bit rates into the master playlist of a finished ladder, and returns the rungs with them. */
export async function finishLadder(
  { dir, plan }: PreparedRun,
  { metric, target, scale }: PlannedLadder,
  { rungs, tried }: FoundLadder,
): Promise<OutputLadder | undefined> {
  const [output] = plan.outputs;
  const name = output?.manifest === undefined ? undefined : masterOf(output, output.manifest);
  if (output === undefined || name === undefined) return undefined;
  const files = new WrittenFiles(dir, output);
  const master = await files.text(name);
  if (master === undefined) return undefined;
  const rates = new Map<string, MediaRates>();
  for (const uri of playlistsIn(master)) {
    const measured = await files.rates(posix.join(posix.dirname(name), uri));
    // A playlist or a segment is missing. All rungs keep what ffmpeg wrote: players could not compare measured rates with others.
    if (measured === undefined) return undefined;
    rates.set(uri, measured);
  }
  const { text, variants } = withMeasuredRates(master, rates);
  const videos = variants.filter(({ resolution }) => resolution !== undefined);
  if (videos.length !== rungs.length) return undefined;
  await files.replace(name, text);
  return {
    ...{ metric, target, option: scale.option },
    rungs: videos.flatMap(({ bandwidth, averageBandwidth }, index) => {
      const point = rungs[index];
      if (point === undefined) return [];
      const { bitsPerSecond: _, ...others } = shown(point);
      return { ...others, bandwidth, averageBandwidth };
    }),
    tried: tried.map(shown),
  };
}

const shown = ({ score, bitsPerSecond, ...point }: LadderPoint): LadderPoint => ({
  ...point,
  score: Number(score.toFixed(DIGITS)),
  bitsPerSecond: Math.round(bitsPerSecond),
});

/** The path of the master playlist below the folder of the output: it is above the folders of the variants. */
function masterOf({ names }: PlannedOutput, manifest: string): string | undefined {
  const found = names.find(
    ([part, ...others]) => typeof part === 'string' && others.length === 0 && posix.basename(part) === manifest,
  )?.[0];
  return typeof found === 'string' ? found : undefined;
}

/** The files of an output that ffmpeg wrote. A compromised ffmpeg may have put anything in their places. */
class WrittenFiles {
  readonly #folder: string;
  readonly #output: PlannedOutput;

  constructor(dir: string, output: PlannedOutput) {
    this.#folder = join(dir, 'out', output.subfolder);
    this.#output = output;
  }

  /** The path of a file of the output. undefined: the plan does not have such a file. */
  #pathOf(name: string): string | undefined {
    return isPlannedName(this.#output.names, name) ? join(this.#folder, name) : undefined;
  }

  async text(name: string): Promise<string | undefined> {
    const path = this.#pathOf(name);
    if (path === undefined) return undefined;
    return readRegularFile(path, async (file, size) => (size <= MAX_BYTES ? file.readFile('utf8') : undefined));
  }

  /** The rates of a media playlist, by the sizes of its segments. undefined: the playlist or a segment is missing. */
  async rates(name: string): Promise<MediaRates | undefined> {
    const text = await this.text(name);
    if (text === undefined) return undefined;
    const { targetSeconds, segments } = parseMediaPlaylist(text);
    if (segments.length > MAX_SEGMENTS) return undefined;
    const measured: { seconds: number; bytes: number }[] = [];
    for (const { uri, seconds, bytes: listed } of segments) {
      const bytes = listed ?? (await this.#sizeOf(posix.join(posix.dirname(name), uri)));
      if (bytes === undefined) return undefined;
      measured.push({ seconds, bytes });
    }
    return measured.length === 0 ? undefined : ratesOf(targetSeconds, measured);
  }

  async #sizeOf(name: string): Promise<number | undefined> {
    const path = this.#pathOf(name);
    const stats = path === undefined ? undefined : await lstat(path).catch(() => undefined);
    return stats?.isFile() === true ? stats.size : undefined;
  }

  /** Replaces a file. First removes it, since it may be a symlink. */
  async replace(name: string, text: string): Promise<void> {
    const path = join(this.#folder, name);
    await rm(path, { force: true });
    await writeFile(path, text, { flag: 'wx', mode: 0o644 });
  }
}

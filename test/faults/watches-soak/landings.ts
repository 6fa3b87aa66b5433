import { mkdir, open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { soundOf } from '../../support/sounds.ts';
import type { ClusterMedia } from '../cluster/cluster-media.ts';
import type { SeededChoices } from '../soak/seeded-choices.ts';

/** The two watches: one leaves its files where they are, the other moves them. */
export const WATCHES = {
  keep: { folder: 'in/', outputs: 'out/', source: 'keep' },
  move: { folder: 'drop/', outputs: 'made/', source: { moveTo: 'done/' } },
} as const;

export type WatchKind = keyof typeof WATCHES;

/** Longer than a piece of a slow copy takes, and shorter than the copy. */
export const SETTLE_SECONDS = 2;

/** A slow copy whose pieces were further apart may be taken half: the machine was busy. */
const STALLED_MS = (1000 * SETTLE_SECONDS) / 2;

/** A file that has landed. */
export interface Landing {
  readonly watch: WatchKind;
  /** Its names, below the folder of the watch: the second one after it was renamed. */
  readonly names: readonly string[];
  readonly sound: Buffer;
  /** Whether the copy took so long in between that its half counts as whole. */
  readonly isStalled: boolean;
}

/** How files land, by weight. `late`: into a folder that is new. */
const ON_DISK = { whole: 3, slow: 4, hidden: 2, renamed: 3, put: 2, late: 2 };
const IN_BUCKET = { whole: 5, put: 3, late: 2 };

/** What services do when files land. */
export interface LandingServices {
  /** Uploads a file to one of them. Rejects if it may not have arrived. */
  upload(path: string, content: Buffer): Promise<void>;
  /** Asks one of them for a scan. Never rejects. */
  scan(watch: WatchKind): Promise<void>;
}

/** The share of the objects for which a scan is asked. Later lists find the others. */
const ASKED = 0.7;

/** Lands files one after the other while a cluster has faults. */
export class Landings {
  readonly all: Landing[] = [];
  readonly #chance: SeededChoices;
  readonly #media: ClusterMedia;
  readonly #mediaRoot: string;
  readonly #services: LandingServices;

  constructor(chance: SeededChoices, media: ClusterMedia, mediaRoot: string, services: LandingServices) {
    this.#chance = chance;
    this.#media = media;
    this.#mediaRoot = mediaRoot;
    this.#services = services;
  }

  /** Lands files until `signal` aborts, with pauses in milliseconds. */
  async run(signal: AbortSignal, pauseMs: readonly [number, number]): Promise<void> {
    while (!signal.aborted) {
      await this.#land(signal);
      await delay(this.#chance.between(...pauseMs), undefined, { signal }).catch(() => {});
    }
  }

  async #land(signal: AbortSignal): Promise<void> {
    const number = this.all.length;
    const chance = this.#chance;
    const kind = chance.pick<keyof typeof ON_DISK>(
      this.#media.store === undefined ? ON_DISK : { ...IN_BUCKET, slow: 0, hidden: 0, renamed: 0 },
    );
    // A repeated upload to a folder whose files are moved would be a new file, and a renamed one has two names.
    const watch: WatchKind = kind !== 'put' && kind !== 'renamed' && chance.happens(0.5) ? 'move' : 'keep';
    const folder = kind === 'late' ? `day ${number}/` : chance.pick({ '': 3, 'day/': 1 });
    const name = `${folder}${kind} ${number}.wav`;
    const sound = soundOf(number, chance.between(0.1, 1));
    const path = `${WATCHES[watch].folder}${name}`;
    const landed = (more: Partial<Landing> = {}): void => {
      this.all.push({ watch, names: [name], sound, isStalled: false, ...more });
    };
    switch (kind) {
      case 'whole':
      case 'late':
        await this.#media.put(path, sound);
        landed();
        break;
      case 'slow':
        landed({ isStalled: await this.#writeSlowly(path, sound) });
        break;
      case 'hidden': {
        const hidden = `${dirname(path)}/.${basename(path)}.Xy7`;
        await this.#media.put(hidden, sound);
        await delay(chance.between(0, 3000), undefined, { signal }).catch(() => {});
        await rename(this.#at(hidden), this.#at(path));
        landed();
        break;
      }
      case 'renamed': {
        const later = `renamed/${basename(name)}`;
        await this.#media.put(path, sound);
        await mkdir(this.#at(`${WATCHES[watch].folder}renamed`), { recursive: true });
        // Before it counts, while it is converted, or afterwards.
        await delay(chance.between(0, 3000 * SETTLE_SECONDS), undefined, { signal }).catch(() => {});
        await rename(this.#at(path), this.#at(`${WATCHES[watch].folder}${later}`));
        landed({ names: [name, later] });
        break;
      }
      case 'put':
        // Some uploads break off with their service, and a person repeats them.
        while (
          !(await this.#services.upload(path, sound).then(
            () => true,
            () => false,
          ))
        )
          await delay(500, undefined, { signal }).catch(() => {});
        landed();
        break;
    }
    if (this.#media.store !== undefined && chance.happens(ASKED)) await this.#services.scan(watch);
  }

  #at(path: string): string {
    return join(this.#mediaRoot, path);
  }

  /** Resolves to whether two pieces were too far apart. */
  async #writeSlowly(path: string, content: Buffer): Promise<boolean> {
    await mkdir(dirname(this.#at(path)), { recursive: true });
    await using file = await open(this.#at(path), 'w');
    const pieces = 4 * SETTLE_SECONDS;
    const size = Math.ceil(content.length / pieces);
    let lastMs = performance.now();
    let longestMs = 0;
    for (let at = 0; at < content.length; at += size) {
      await file.write(content.subarray(at, at + size));
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
      await delay(400);
    }
    return longestMs > STALLED_MS;
  }
}

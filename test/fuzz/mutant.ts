import { type SeededChoices, seededChoices } from '../faults/soak/seeded-choices.ts';
import { BOMBS } from './bombs.ts';
import { below, type Change, damage, oneOf } from './bytes.ts';
import { mutateField } from './mutations.ts';
import { type PointerTargets, pointers } from './pointers.ts';
import type { Source } from './sources.ts';
import { hostileTags } from './tags.ts';

/** A malformed file. */
export interface Mutant {
  /** Counted from 0. */
  readonly number: number;
  readonly family: 'damaged' | 'lying' | 'pointing' | 'bomb' | 'tags';
  /** What was changed, for the report of an error. */
  readonly how: string;
  /** Its name in the media root, which may be unusual. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** The input of mutations. */
export interface MutantMaterial {
  readonly sources: readonly Source[];
  readonly bait: PointerTargets;
}

const FAMILIES = { damaged: 9, lying: 7, pointing: 3, bomb: 1, tags: 3 } as const;

/** Extensions that do not match the content. */
const EXTENSIONS = 'mp4 mkv avi ts mp3 wav flac png jpg gif webp srt ass m3u8 mpd ffconcat sdp txt svg idx bin'.split(
  ' ',
);

/** Names that a program may mistake for an option, an address, a pattern or a command. */
const NAMES: readonly ((id: string, extension: string) => string)[] = [
  (id, extension) => `-i${id}.${extension}`,
  (id, extension) => `--help ${id}.${extension}`,
  (id) => `-y${id}`,
  (id, extension) => `a;b|c&d $(x) \`y\` '"${id}.${extension}`,
  (id, extension) => `%d%03d%n${id}.${extension}`,
  (id, extension) => `concat:${id}|x.${extension}`,
  (id, extension) => `file:${id}.${extension}`,
  (id, extension) => `*?[a-z]{${id},x}.${extension}`,
  (id, extension) => `ä 😀 ${id}.${extension}`,
  (id, extension) => `${id}.${extension}.${'x'.repeat(200)}`,
  (id) => `${id}.mp4 -i etc passwd`,
];

/** Generates the mutant of a number. Pure: the same arguments give the same mutant. */
export function mutantOf(seed: number, number: number, material: MutantMaterial): Mutant {
  // A large odd step, so that neighbours differ.
  const chance = seededChoices(seed + Math.imul(number + 1, 0x9e3779b1));
  const family = chance.pick(FAMILIES);
  const { bytes, how, extension } = MAKERS[family](chance, material);
  const kind = chance.happens(family === 'pointing' ? 0.6 : 0.2) ? oneOf(chance, EXTENSIONS) : extension;
  const id = `m${number}`;
  const name = chance.happens(0.15) ? oneOf(chance, NAMES)(id, kind) : `${id}.${kind}`;
  return { number, family, how, name, bytes };
}

interface Made extends Change {
  readonly extension: string;
}

const MAKERS: Readonly<Record<Mutant['family'], (chance: SeededChoices, material: MutantMaterial) => Made>> = {
  damaged(chance, { sources }) {
    const [source, other] = [oneOf(chance, sources), oneOf(chance, sources)];
    const how = [`${source.name} (other: ${other.name})`];
    let { bytes } = source;
    for (let left = Number(chance.pick({ 1: 5, 2: 3, 3: 2 })); left > 0; left--) {
      const change = damage(chance, bytes, other.bytes);
      ({ bytes } = change);
      how.push(change.how);
    }
    return { bytes, how: how.join('; '), extension: source.extension };
  },
  lying(chance, { sources }) {
    for (;;) {
      const source = oneOf(chance, sources);
      const how = [source.name];
      let { bytes } = source;
      for (let left = 1 + below(chance, 3); left > 0; left--) {
        const change = mutateField(chance, bytes);
        if (change === undefined) continue;
        ({ bytes } = change);
        how.push(change.how);
      }
      if (how.length > 1) return { bytes, how: how.join('; '), extension: source.extension };
    }
  },
  pointing(chance, { bait }) {
    const [how, text] = oneOf(chance, pointers(bait));
    const extension = oneOf(chance, ['m3u8', 'mpd', 'ffconcat', 'mp4', 'txt', 'sdp', 'asx']);
    return { bytes: Buffer.from(text), how, extension };
  },
  bomb(chance) {
    const { bytes, how, extension } = oneOf(chance, BOMBS);
    return { bytes: bytes(), how, extension };
  },
  tags(chance, { sources }) {
    const named = (name: string): Buffer => sources.find((source) => source.name === name)?.bytes ?? Buffer.alloc(0);
    return hostileTags(chance, { mp3: named('mp3.mp3'), flac: named('flac.flac') });
  },
};

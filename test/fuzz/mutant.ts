import { type SeededChoices, seededChoices } from '../faults/soak/seeded-choices.ts';
import { BOMBS } from './bombs.ts';
import { below, type Change, damage, oneOf } from './byte-damage.ts';
import { mutateField } from './field-mutation.ts';
import { type ReferenceTargets, referenceFiles } from './reference-files.ts';
import type { Source } from './sources.ts';
import { hostileTags } from './tags.ts';

/** A malformed file. */
export interface Mutant {
  /** Counted from 0. */
  readonly number: number;
  readonly family: 'damaged' | 'field' | 'reference' | 'bomb' | 'tags';
  /** What was changed, for the report of an error. */
  readonly description: string;
  /** Its name in the media root, which may be unusual. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** The input of mutations. */
export interface MutantMaterial {
  readonly sources: readonly Source[];
  readonly targets: ReferenceTargets;
}

/** The families with their shares. */
export const FAMILIES = { damaged: 9, field: 7, reference: 3, bomb: 1, tags: 3 } as const;

/** Extensions that do not match the content. Not `svg`: a request for such an input is rejected, so no job reads it. */
const EXTENSIONS = 'mp4 mkv avi ts mp3 wav flac png jpg gif webp srt ass m3u8 mpd ffconcat sdp txt idx bin'.split(' ');

/** Names that a program may mistake for an option, a URL, a pattern or a command. */
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
  // A large odd step makes the seeds of neighbours very different.
  const chance = seededChoices(seed + Math.imul(number + 1, 0x9e3779b1));
  const family = chance.pick(FAMILIES);
  const { bytes, description, extension } = GENERATORS[family](chance, material);
  const kind = chance.happens(family === 'reference' ? 0.6 : 0.2) ? oneOf(chance, EXTENSIONS) : extension;
  const id = `m${number}`;
  const name = chance.happens(0.15) ? oneOf(chance, NAMES)(id, kind) : `${id}.${kind}`;
  return { number, family, description, name, bytes };
}

interface GeneratedFile extends Change {
  readonly extension: string;
}

const GENERATORS: Readonly<
  Record<Mutant['family'], (chance: SeededChoices, material: MutantMaterial) => GeneratedFile>
> = {
  damaged(chance, { sources }) {
    const [source, other] = [oneOf(chance, sources), oneOf(chance, sources)];
    const descriptions = [`${source.name} (other: ${other.name})`];
    let { bytes } = source;
    for (let left = Number(chance.pick({ 1: 5, 2: 3, 3: 2 })); left > 0; left--) {
      const change = damage(chance, bytes, other.bytes);
      ({ bytes } = change);
      descriptions.push(change.description);
    }
    return { bytes, description: descriptions.join('; '), extension: source.extension };
  },
  field(chance, { sources }) {
    for (;;) {
      const source = oneOf(chance, sources);
      const descriptions = [source.name];
      let { bytes } = source;
      for (let left = 1 + below(chance, 3); left > 0; left--) {
        const change = mutateField(chance, bytes);
        if (change === undefined) continue;
        ({ bytes } = change);
        descriptions.push(change.description);
      }
      if (descriptions.length > 1) return { bytes, description: descriptions.join('; '), extension: source.extension };
    }
  },
  reference(chance, { targets }) {
    const [description, text] = oneOf(chance, referenceFiles(targets));
    const extension = oneOf(chance, ['m3u8', 'mpd', 'ffconcat', 'mp4', 'txt', 'sdp', 'asx']);
    return { bytes: Buffer.from(text), description, extension };
  },
  bomb(chance) {
    const { bytes, description, extension } = oneOf(chance, BOMBS);
    return { bytes: bytes(), description, extension };
  },
  tags(chance, { sources }) {
    const named = (name: string): Buffer => sources.find((source) => source.name === name)?.bytes ?? Buffer.alloc(0);
    return hostileTags(chance, { mp3: named('mp3.mp3'), flac: named('flac.flac') });
  },
};

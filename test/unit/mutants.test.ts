import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { seededChoices } from '../faults/soak/seeded-choices.ts';
import { BOMBS } from '../fuzz/bombs.ts';
import { damage } from '../fuzz/byte-damage.ts';
import { mutateField } from '../fuzz/field-mutation.ts';
import { type Mutant, mutantOf } from '../fuzz/mutant.ts';

const bomb = (description: string): Buffer => {
  const found = BOMBS.find((one) => one.description === description);
  if (found === undefined) throw new Error(`There is no ${description}.`);
  return found.bytes();
};

const PNG = bomb('PNG of 1×2000000');
const WAV = bomb('WAV of 0 channels');
const MATERIAL = {
  sources: [
    { name: 'mp3.mp3', extension: 'mp3', bytes: Buffer.alloc(1000, 1) },
    { name: 'flac.flac', extension: 'flac', bytes: Buffer.alloc(1000, 2) },
    { name: 'png.png', extension: 'png', bytes: PNG },
    { name: 'pcm.wav', extension: 'wav', bytes: WAV },
  ],
  targets: { movie: '/outside/canary.ts', text: '/outside/canary.txt', sibling: 'sibling.ts', listener: '127.0.0.1:9' },
};
const mutants = (seed: number, count: number): readonly Mutant[] =>
  Array.from({ length: count }, (_, number) => mutantOf(seed, number, MATERIAL));

test('the same seed creates the same mutants, and another seed creates others', () => {
  const first = mutants(1, 60);
  expect(mutants(1, 60)).toEqual(first);
  expect(mutants(2, 60).filter(({ description }, at) => description === first[at]?.description).length).toBeLessThan(6);
  expect(new Set(first.map(({ family }) => family)).size).toBe(5);
  expect(new Set(first.map(({ name }) => name)).size).toBe(60);
});

test('damaging a file does not change the original', () => {
  const before = Buffer.from(WAV);
  for (let seed = 0; seed < 200; seed++) damage(seededChoices(seed), WAV, PNG);
  expect(WAV.equals(before)).toBe(true);
});

test('a mutant changes one number and corrects the checksum', () => {
  const widths = Array.from({ length: 200 }, (_, seed) => mutateField(seededChoices(seed), PNG)).filter(
    (change) => change?.description.startsWith('field: width') === true,
  );
  expect(widths.length).toBeGreaterThan(5);
  for (const change of widths) {
    const bytes = change?.bytes ?? Buffer.alloc(0);
    expect(change?.description).toBe(`field: width at 16 is ${bytes.readUInt32BE(16)}`);
    expect(bytes.readUInt32BE(29)).toBe(crc32(bytes.subarray(12, 29)));
  }
});

test('does not change a file of an unknown format', () => {
  expect(mutateField(seededChoices(1), Buffer.from('no media'))).toBeUndefined();
});

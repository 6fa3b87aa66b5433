import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { seededChoices } from '../faults/soak/seeded-choices.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';
import { drawRequest } from './generated/expected-results.ts';
import { PLANTED_FAULTS, type PlantedFault } from './generated/planted-faults.ts';
import { type Combinations, type OutcomesOptions, runOutcomes } from './generated/run-outcomes.ts';
import type { Source } from './generated/sources.ts';

const test = needs('ffmpeg');

const run = async (options: Pick<OutcomesOptions, 'combinations' | 'plants' | 'say'>) => {
  const folder = await mkdtemp(join(tmpdir(), 'telecine-outcomes-'));
  try {
    return await runOutcomes({ ...options, folder, programs: tools(), program: inject('program') });
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** A fault without its source. */
const shortOf = (fault: string): string => fault.replace(/^(\d+) .*("output.*)$/, '$1 $2');

const FILM: Source = {
  ...{ path: 'film.mp4', kind: 'film', container: 'mp4', codec: 'libx264', width: 240, height: 136, rate: '25' },
  ...{ rotation: 0, colour: 'bt709', subtitles: [], chapters: 0, seconds: 1.6, start: 0 },
  ...{ hasCover: false, isTransparent: false },
  audio: [
    { codec: 'aac', channels: 2, language: 'eng' },
    { codec: 'aac', channels: 2, language: 'deu' },
  ],
};
const SOUND: Source = {
  ...FILM,
  ...{ path: 'song.m4a', kind: 'sound', container: 'm4a', codec: '', hasCover: true },
  audio: [{ codec: 'aac', channels: 2, language: 'eng' }],
};
const PICTURE: Source = {
  ...FILM,
  ...{
    path: 'logo.png',
    kind: 'picture',
    container: 'png',
    codec: 'png',
    width: 320,
    height: 180,
    seconds: 0.04,
    isTransparent: true,
    audio: [],
  },
};
const surround = [{ codec: 'ac3', channels: 6, language: 'fra' }] as const;

/** Sources, and the kinds of requests about each. */
const FIXED: readonly (readonly [Partial<Source> & Pick<Source, 'path'>, readonly string[]])[] = [
  [
    { ...FILM, path: 'turned.mp4', rotation: 90, subtitles: ['eng'], chapters: 3 },
    ['web-h264', 'resize', 'change-container', 'speed', 'ac'],
  ],
  [
    { ...FILM, path: 'gaps.mkv', container: 'mkv', rate: 'gaps', colour: 'smpte170m', audio: surround },
    ['trim', 'gif', 'letterbox', 'plain'],
  ],
  [
    { ...FILM, path: 'film.mov', container: 'mov', rate: '30000/1001', chapters: 3, audio: FILM.audio.slice(1) },
    ['fast-start', 'rotate', 'frame-rate', 'poster'],
  ],
  [
    { ...FILM, path: 'film.ts', container: 'ts', audio: [{ codec: 'mp2', channels: 2, language: 'eng' }] },
    ['to', 'scale', 'audio-only', 'ss', 'crop-to-aspect'],
  ],
  [SOUND, ['mp3', 'm4a']],
  [
    {
      ...SOUND,
      path: 'voice.wav',
      container: 'wav',
      hasCover: false,
      audio: [{ codec: 'pcm_s16le', channels: 1, language: 'eng' }],
    },
    ['opus', 'loudness'],
  ],
  [PICTURE, ['resize-picture', 'resize-picture']],
];

/** One source with a request of each kind. The numbers are those of the results. */
const combined = (source: Source, kinds: readonly string[], first: number): Combinations => ({
  source,
  requests: kinds.map((kind, at) => ({
    ...drawRequest(seededChoices(first + at), source, first + at, kind),
    number: first + at,
  })),
});

test('24 conversions of common kinds have the right length, frames, sound, streams and colours', async () => {
  const combinations = FIXED.map(([source, kinds], at) => combined({ ...FILM, ...source }, kinds, 100 * at));
  expect(combinations.flatMap(({ requests }) => requests)).toHaveLength(24);
  const said: string[] = [];
  const { faults, right, told } = await run({ combinations, say: (line) => said.push(line) });
  expect(faults.map(shortOf)).toEqual([]);
  expect(said).toEqual([]);
  expect(right + told).toBe(24);
}, 240_000);

test('each planted fault is found', { tags: ['long'], timeout: 300_000 }, async () => {
  const plants = Object.keys(PLANTED_FAULTS) as PlantedFault[];
  const sources: Partial<Record<PlantedFault, Partial<Source>>> = {
    alpha: { ...PICTURE },
    // AAC begins before its film, which hides 21 ms.
    '40-ms': { audio: [{ codec: 'flac', channels: 2, language: 'eng' }] },
    'last-delay': { rate: 'gaps' },
    chapters: { chapters: 3 },
  };
  const combinations = plants.map((plant, at): Combinations => {
    const source: Source = {
      ...FILM,
      container: 'mkv',
      ...sources[plant],
      path: `${plant}.${plant === 'alpha' ? 'png' : 'mkv'}`,
    };
    const { source: _, requests } = combined(source, [plant === 'alpha' ? 'resize-picture' : 'copy'], at);
    const output = `results/${source.path}`;
    return { source, requests: requests.map((one) => ({ ...one, request: { ...one.request, output } })) };
  });
  const intact = await run({ combinations });
  expect(intact.faults.map(shortOf)).toEqual([]);
  const { faults, unfound } = await run({ combinations, plants: ({ number }) => plants[number] });
  expect(unfound).toEqual([]);
  expect(faults).toHaveLength(plants.length);
});

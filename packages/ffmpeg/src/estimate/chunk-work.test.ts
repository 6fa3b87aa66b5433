import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import type { QualityTarget } from '@telecine/contract/domain/quality.ts';
import { expect, test } from 'vitest';
import { wholePlan } from '../../../../test/support/planning.ts';
import { chunkShare, type SharingWorkers, secondsInChunks, wholeSeconds, whyNotInChunks } from './chunk-gain.ts';
import { chunkWork, mediaOfSource } from './chunk-work.ts';

interface Source {
  readonly minutes?: number;
  readonly width?: number;
  readonly height?: number;
  readonly mbits?: number;
}

/** A film with stereo, as the list of its frames says. */
function film({ minutes = 60, width = 1920, height = 1080, mbits = 8 }: Source): MediaInfo {
  const stream = { isCover: false, disposition: [], hasLanguage: false };
  const streams = [
    { ...stream, index: 0, type: 'video', codec: 'h264', averageRate: 25, width, height },
    { ...stream, index: 1, type: 'audio', codec: 'aac' },
  ];
  return mediaOfSource({ format: 'mov', streams }, minutes * 60, (minutes * 60 * mbits * 1e6) / 8);
}

function workOf(parameters: Parameters, source: Source = {}, more: { readonly quality?: QualityTarget } = {}) {
  const plan = wholePlan({ input: 'a.mp4', output: 'b.mp4', parameters, ...more }, { chunks: true });
  if (plan.chunks === undefined || 'whole' in plan.chunks) throw new Error(JSON.stringify(plan.chunks));
  const work = chunkWork(plan, film(source));
  if (work === undefined) throw new Error('The work is unknown.');
  return work;
}

/** Workers with one slot and this many cores, each on a machine of its own. */
const workers = (count: number, cores = 4): SharingWorkers => ({
  machines: Array.from({ length: count }, () => ({ workers: [cores], cores })),
  slots: count,
});

/** The chunks of an hour, with the short ones at the end. */
const CHUNKS = 80;

const gain = (work: ReturnType<typeof workOf>, count: number, chunks = CHUNKS) =>
  secondsInChunks(work, workers(count), chunks) / wholeSeconds(work, 4);

const X264 = { 'c:v': 'libx264', 'c:a': 'aac' };

test('two workers take little more than half of the time of one, and four a quarter', () => {
  const work = workOf({ ...X264, crf: '23', preset: 'slow' });
  expect(gain(work, 2)).toBeGreaterThan(0.5);
  expect(gain(work, 2)).toBeLessThan(0.56);
  expect(gain(work, 4)).toBeLessThan(0.31);
  expect(whyNotInChunks(work, workers(2), CHUNKS)).toBeUndefined();
});

/** Workers with one slot on one machine. `each`: how many cores each of them may use. */
const onOneMachine = (count: number, cores: number, each = cores): SharingWorkers => ({
  machines: [{ workers: Array.from({ length: count }, () => each), cores }],
  slots: count,
});

test('three workers on one machine gain nearly nothing, because one encode uses its cores already', () => {
  const work = workOf({ ...X264, crf: '23', preset: 'slow' });
  expect(whyNotInChunks(work, onOneMachine(3, 8), CHUNKS)).toContain('save too little');
  expect(secondsInChunks(work, onOneMachine(3, 8), CHUNKS)).toBeGreaterThan(wholeSeconds(work, 8));
});

test('several workers pay on one machine with more cores than one encode uses', () => {
  const work = workOf({ ...X264, crf: '23', preset: 'slow' });
  expect(secondsInChunks(work, onOneMachine(2, 32), CHUNKS)).toBeCloseTo(secondsInChunks(work, workers(2, 32), CHUNKS));
  expect(whyNotInChunks(work, onOneMachine(2, 32), CHUNKS)).toBeUndefined();
});

test('workers that share no cores have the same time on one machine as on three', () => {
  const work = workOf({ ...X264, crf: '23', preset: 'slow' });
  for (const each of [1, 2])
    expect(secondsInChunks(work, onOneMachine(3, 3 * each, each), CHUNKS)).toBeCloseTo(
      secondsInChunks(work, workers(3, each), CHUNKS),
    );
});

test('chunks pay on unequal machines, because the small one may run the whole', () => {
  const work = workOf({ ...X264, crf: '23', preset: 'slow' });
  const unequal = { machines: [2, 32].map((cores) => ({ workers: [cores], cores })), slots: 2 };
  expect(whyNotInChunks(work, unequal, CHUNKS)).toBeUndefined();
  // Alone, the large one takes a little longer than both together, and the small one six times as long as the large one.
  expect(secondsInChunks(work, unequal, CHUNKS)).toBeLessThan(wholeSeconds(work, 32));
  expect(chunkShare(work, unequal, CHUNKS)).toBeLessThan(0.3);
});

test('a second machine halves the time, however many workers each has', () => {
  const work = workOf({ ...X264, crf: '23', preset: 'slow' });
  const two = { machines: [...onOneMachine(3, 8).machines, ...onOneMachine(3, 8).machines], slots: 6 };
  expect(secondsInChunks(work, two, CHUNKS)).toBeLessThan(wholeSeconds(work, 8) * 0.56);
  expect(secondsInChunks(work, two, CHUNKS)).toBeGreaterThan(wholeSeconds(work, 8) * 0.5);
});

test('a filter with one thread pays in chunks also on one machine', () => {
  const at = (filter: string) =>
    workOf({ ...X264, crf: '23', preset: 'ultrafast', vf: Array.from({ length: 8 }, () => filter).join(',') });
  expect(whyNotInChunks(at('boxblur'), onOneMachine(3, 8), CHUNKS)).toBeUndefined();
  expect(whyNotInChunks(at('unsharp'), onOneMachine(3, 8), CHUNKS)).toContain('save too little');
});

test('slow filters pay in chunks too, with the fastest encoder', () => {
  const vf = Array.from({ length: 8 }, () => 'unsharp,colorbalance').join(',');
  expect(gain(workOf({ ...X264, crf: '23', preset: 'ultrafast', vf }), 2)).toBeLessThan(0.56);
});

test('a tiny encode of a huge input does not pay, because one worker reads all of it', () => {
  const tiny = { ...X264, crf: '23', preset: 'ultrafast', vf: 'scale=64:-2' };
  const huge = workOf(tiny, { width: 640, height: 360, mbits: 400 });
  expect(wholeSeconds(huge, 4)).toBe(1200);
  expect(whyNotInChunks(huge, workers(8), CHUNKS)).toMatch(/takes 20 min whole, and 20 min in chunks\.$/);
});

test('a small film whose audio takes as long as its video does not pay', () => {
  const small = workOf({ ...X264, crf: '30', preset: 'ultrafast' }, { width: 160, height: 90, mbits: 0.3 });
  expect(whyNotInChunks(small, workers(4), CHUNKS)).toContain('save too little');
});

test('a short film that one worker encodes in seconds does not pay', () => {
  const short = workOf({ ...X264, crf: '23', preset: 'ultrafast' }, { minutes: 2, width: 640, height: 360, mbits: 1 });
  expect(whyNotInChunks(short, workers(2), 12)).toContain('save too little');
});

test('chunks with a bit rate encode everything three times, so that they pay with slow presets or many workers', () => {
  const at = (preset: string, more: Parameters = {}) => workOf({ ...X264, preset, 'b:v': '2M', ...more });
  // One worker shows how much more work the chunks are. Measured: 2.7, 1.6 and 1.45 times as much as the whole.
  expect(gain(at('veryfast'), 1)).toBeGreaterThan(2.1);
  expect(gain(at('medium'), 1)).toBeGreaterThan(1.5);
  expect(gain(at('medium'), 1)).toBeLessThan(1.9);
  expect(gain(at('slow'), 1)).toBeLessThan(1.65);
  expect(whyNotInChunks(at('veryfast'), workers(2), CHUNKS)).toContain('save too little');
  expect(whyNotInChunks(at('slow'), workers(2), CHUNKS)).toBeUndefined();
  expect(whyNotInChunks(at('veryfast'), workers(6), CHUNKS)).toBeUndefined();
});

test('samples of a quality target are tried by one worker', () => {
  const work = workOf({ ...X264, preset: 'slow' }, {}, { quality: { target: 0.97 } });
  expect(work.searchSeconds).toBeGreaterThan(0);
  // However many workers there are, the search and the join take their time.
  expect(gain(work, 1000)).toBeGreaterThan(0.12);
  expect(gain(work, 2)).toBeLessThan(0.8);
});

test('nothing is said of an encoder or a frame size that the model does not know', () => {
  const request = (parameters: Parameters) =>
    wholePlan({ input: 'a.mp4', output: 'b.mp4', parameters }, { chunks: true });
  expect(chunkWork(request({ 'c:v': 'libaom-av1', crf: '30' }), film({}))).toBeUndefined();
  expect(chunkWork(request({ c: 'copy' }), film({}))).toBeUndefined();
  const unknown = { ...film({}), streams: film({}).streams.map(({ width: _, height: __, ...one }) => one) };
  expect(chunkWork(request({ ...X264, crf: '23' }), unknown)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { PacketCounter } from './packet-counter.ts';

const WHOLE = { from: 0, to: Number.POSITIVE_INFINITY };

function count(lines: readonly string[]): PacketCounter {
  const counter = new PacketCounter();
  for (const line of lines) counter.feed(line);
  return counter;
}

/** Two seconds of a video that starts at 1.4 s, as in MPEG-TS: a key frame per second, packets of 1,000 bytes. */
const FILM = [
  ...Array.from(
    { length: 20 },
    (_, i) => `packet,0,${(1.4 + i / 10).toFixed(6)},N/A,0.100000,1000,${i % 10 === 0 ? 'K__' : '___'}`,
  ),
  ...[
    'packet,1,1.400000,1.400000,0.100000,500,K_',
    'stream,0,video',
    'stream,1,audio',
    'format,mpegts,1.400000,2.000000',
  ],
];

test('counts bytes from the start of the file, in intervals', () => {
  expect(count(FILM).bitRate(WHOLE, 1)).toEqual({
    ...{ mean: 82_000, max: 84_000, maxAt: 0, intervalSeconds: 1 },
    values: [84_000, 80_000],
  });
});

test('key frames are those of the first video, with the way to the end', () => {
  expect(count(FILM).keyFrames(WHOLE)).toEqual({ count: 2, meanSpacing: 1, maxSpacing: 1, at: [0, 1] });
});

test('sound that ends later belongs to no key frame, and some milliseconds of it to no interval of their own', () => {
  const picture = Array.from(
    { length: 8 },
    (_, i) => `packet,0,${i / 4},${i / 4},0.250000,1000,${i % 4 === 0 ? 'K__' : '___'}`,
  );
  const types = ['stream,0,video', 'stream,1,audio', 'format,"mov,mp4",0.000000,2.020000'];
  const slightly = count([...picture, 'packet,1,1.98,1.98,0.04,0,K_', ...types]);
  expect(slightly.keyFrames(WHOLE)).toEqual({ count: 2, meanSpacing: 1, maxSpacing: 1, at: [0, 1] });
  expect(slightly.bitRate(WHOLE, 1)?.values).toEqual([32_000, 31_373]);
  const muchLater = count([...picture, 'packet,1,29,29,1,8000,K_', ...types]);
  expect(muchLater.keyFrames(WHOLE)).toMatchObject({ meanSpacing: 1, maxSpacing: 1 });
  expect(muchLater.bitRate(WHOLE, 1)).toMatchObject({ mean: 4267, values: { length: 30 } });
});

test('a file that is shorter than the finest interval has all its bytes in one', () => {
  const picture = count(['packet,0,0.000000,0.000000,0.040000,500,K_', 'stream,0,video', 'format,png_pipe,N/A,N/A']);
  expect(picture.bitRate(WHOLE, 1)).toMatchObject({ mean: 100_000, values: [8000] });
});

test('a cover is no video, and the film beside it is', () => {
  const packets = ['packet,0,0,0,0.04,900,K_', 'packet,1,0,0,1,100,K_', 'packet,1,1,1,1,100,K_'];
  const song = count([...packets, 'stream,0,video,1', 'stream,1,audio,0', 'format,mp3,0,2']);
  expect([song.hasVideo, song.keyFrames(WHOLE)]).toEqual([false, undefined]);
  const film = count([...packets, 'stream,0,video,1', 'stream,1,video,0', 'format,mp4,0,2']);
  expect(film.keyFrames(WHOLE)).toMatchObject({ count: 2, at: [0, 1] });
});

test('a file without video has no key frames, and text of other shapes is skipped', () => {
  const counter = count([
    'packet,0,0.0,0.0,0.1,100,K_',
    'stream,0,audio',
    'tag,packet,0',
    'packet,x,0,0,0,1,K',
    'format,wav,0.0,1.0',
  ]);
  expect(counter.keyFrames(WHOLE)).toBeUndefined();
  expect(counter.bitRate(WHOLE, 1)?.mean).toBe(8000);
});

test('long files have longer intervals', () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `packet,0,${i}.0,${i}.0,N/A,100,K_`);
  expect(count([...lines, 'format,wav,0.0,1.0']).bitRate(WHOLE, 1)).toMatchObject({ intervalSeconds: 5 });
});

test('the header of a file tells its duration, of formats that have it there', () => {
  const packet = 'packet,0,1.500000,1.500000,0.040000,1000,K__';
  const film = count([packet, 'format,"mov,mp4,m4a,3gp,3g2,mj2",0.000000,4.000000']);
  expect([film.statedSeconds, film.lastSeconds]).toEqual([4, 1.5]);
  expect(count([packet, 'format,mp3,0.025057,4.000000']).statedSeconds).toBeUndefined();
  expect(count([packet, 'format,"matroska,webm",0.000000,N/A']).statedSeconds).toBeUndefined();
});

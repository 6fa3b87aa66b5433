import { expect, test } from 'vitest';
import { masterPlaylist, shownInputs, shownOutputs } from './shown-outputs.ts';

const files = (...paths: string[]) => paths.map((path) => ({ path, sizeBytes: 1 }));
const pathsOf = (job: Parameters<typeof shownOutputs>[0]) => shownOutputs(job).map(({ path }) => path);

test('playlists stand for their segments, the master playlist first', () => {
  const outputs = files('hls/0.ts', 'hls/v_0.m3u8', 'hls/master.m3u8', 'hls/v_1.m3u8');
  const playlists = ['hls/master.m3u8', 'hls/v_0.m3u8', 'hls/v_1.m3u8'];
  expect(pathsOf({ output: 'hls/master.m3u8', outputs })).toEqual(playlists);
  const parameters = { master_pl_name: 'master.m3u8' };
  expect(pathsOf({ output: 'hls/v_%v.m3u8', parameters, outputs })).toEqual(playlists);
  expect(pathsOf({ output: '/hls/v_%v.m3u8', parameters, outputs })).toEqual(playlists);
});

test('the master playlist above the folders of the versions comes first', () => {
  const outputs = files('film/v0/index.m3u8', 'film/v1/index.m3u8', 'film/v1/master.m3u8', 'film/master.m3u8');
  const job = { output: 'film/v%v/index.m3u8', parameters: { master_pl_name: 'master.m3u8' }, outputs };
  expect(masterPlaylist(job)?.path).toBe('film/master.m3u8');
});

test('each output has the master playlist of its own options', () => {
  const outputs = files('poster.jpg', 'hls/v_0.m3u8', 'hls/all.m3u8');
  const requestedOutputs = [
    { output: 'hls/v_%v.m3u8', parameters: { master_pl_name: 'all.m3u8' } },
    { output: 'poster.jpg' },
  ];
  expect(masterPlaylist({ requestedOutputs, outputs })?.path).toBe('hls/all.m3u8');
});

test('what the request names comes first, and files that are no media are left out', () => {
  const outputs = files('film.vtt', 'extra.jpg', 'poster.jpg', 'film.mp4');
  const requestedOutputs = [{ output: 'poster.jpg' }, { output: 'film.mp4' }];
  expect(pathsOf({ requestedOutputs, outputs })).toEqual(['poster.jpg', 'film.mp4', 'extra.jpg']);
});

test('images of a sequence can be chosen, but not thousands of them', () => {
  const outputs = files(...Array.from({ length: 500 }, (_, i) => `f/${i}.png`));
  expect(pathsOf({ output: 'f/%d.png', outputs })).toHaveLength(100);
});

test('of inputs, only files of the media root are shown', () => {
  expect(
    shownInputs({
      inputs: [
        'a.mov',
        { input: 'b.png', duration: '2' },
        { source: 'anullsrc' },
        'a.mov',
        'https://x.org/c.mp4',
        's3://b/d.mp4',
      ],
    }),
  ).toEqual(['a.mov', 'b.png']);
  expect(shownInputs({ input: 'f_%03d.png' })).toEqual([]);
  expect(shownInputs({ input: 'talk.srt' })).toEqual([]);
});

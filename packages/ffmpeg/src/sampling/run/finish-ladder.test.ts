import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { PreparedRun } from '../conversion-run.ts';
import { finishLadder } from './finish-ladder.ts';

const MASTER = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=100,RESOLUTION=640x360
a_0.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=50,RESOLUTION=320x180
a_1.m3u8
`;
const MEDIA = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2.000000,\na.ts\n#EXT-X-ENDLIST\n';

const RUNGS = [
  { width: 640, height: 360, value: 20, score: 0.98, bitsPerSecond: 4000 },
  { width: 320, height: 180, value: 30, score: 0.9, bitsPerSecond: 2000 },
];

/** Finishes a ladder of these media playlists. Returns its result, and the master playlist after it. */
async function finish(playlists: Readonly<Record<string, string>>) {
  const dir = await mkdtemp(join(tmpdir(), 'telecine-ladder-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const out = join(dir, 'out');
  await mkdir(out);
  for (const [name, text] of Object.entries({ 'a.m3u8': MASTER, 'a.ts': 'x'.repeat(1000), ...playlists }))
    await writeFile(join(out, name), text);
  const names = [['a.m3u8'], ['a_', { any: 'number' }, '.m3u8'], ['a.ts']];
  const c = { dir, plan: { outputs: [{ subfolder: '', manifest: 'a.m3u8', names }] } } as unknown as PreparedRun;
  const ladder = { metric: 'ssim', target: 0.98, scale: { option: 'crf' } } as Parameters<typeof finishLadder>[1];
  const found = { ok: true, rungs: RUNGS, tried: RUNGS, argv: [], warnings: [] } as const;
  return { result: await finishLadder(c, ladder, found), master: await readFile(join(out, 'a.m3u8'), 'utf8') };
}

test('all rungs get their measured rates', async () => {
  const { result, master } = await finish({ 'a_0.m3u8': MEDIA, 'a_1.m3u8': MEDIA });
  expect(result?.rungs.map(({ bandwidth }) => bandwidth)).toEqual([4000, 4000]);
  expect(master.match(/BANDWIDTH=4000,AVERAGE-BANDWIDTH=4000/g)?.length).toBe(2);
});

test('with one unreadable playlist, all rungs keep what ffmpeg wrote', async () => {
  expect(await finish({ 'a_0.m3u8': MEDIA })).toEqual({ result: undefined, master: MASTER });
  const missing = MEDIA.replace('a.ts', 'b.ts');
  expect(await finish({ 'a_0.m3u8': MEDIA, 'a_1.m3u8': missing })).toEqual({ result: undefined, master: MASTER });
  const many = `#EXTM3U\n${'#EXTINF:1,\na.ts\n'.repeat(50_001)}`;
  expect(await finish({ 'a_0.m3u8': MEDIA, 'a_1.m3u8': many })).toEqual({ result: undefined, master: MASTER });
});

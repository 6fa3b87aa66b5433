// @module-tag long
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { sharedServer } from '../support/shared-server.ts';
import { soundOf, soundSame } from '../support/sounds.ts';
import { onDisk } from '../support/test-engines.ts';
import { makeWatch, type TestWatch, type WatchingClient, watchingClient } from '../support/watch-client.ts';

const start = sharedServer({ env: NO_RATE_LIMITS });
const test = needs('ffmpeg');

/** `scan` counts the scans of all watches, so those of earlier tests are removed. */
async function newWatch(one: WatchingClient, body: object = {}): Promise<TestWatch> {
  const watch = await makeWatch(one, body);
  onTestFinished(() => watch.remove());
  return watch;
}

const newClient = async (name: string): Promise<WatchingClient> => watchingClient((await start()).server, name);

/** The inputs of all jobs of a watch, sorted. */
async function inputsOf({ client }: WatchingClient, { watchId }: TestWatch): Promise<readonly unknown[]> {
  const { jobs } = await client.list(`?watch=${watchId}&limit=100`);
  return jobs.map(({ input }) => input).toSorted();
}

/** Expects that a scan finds nothing to convert: the counts stay as they are. */
async function expectQuiet(watch: TestWatch): Promise<void> {
  const { counts } = await watch.read();
  await watch.scan();
  await watch.scan();
  expect((await watch.read()).counts).toEqual(counts);
}

test('each file gets several outputs, named by its folder, its name, its size and the date', async () => {
  const one = await newClient('templates');
  const watch = await newWatch(one, {
    request: {
      outputs: [
        { output: '{date}/{folder}{name}-{width}x{height}.mp4', parameters: { 'c:v': 'libx264', preset: 'ultrafast' } },
        { output: 'thumbs/{folder}{name}.jpg', parameters: { 'frames:v': '1' } },
      ],
    },
  });
  await one.media.fill((folder) => putSmallMovie(folder, 1, 'in/day 1/take 1.mp4'));
  await watch.until({ converted: 1 });
  const made = (await one.media.list()).filter((path) => !path.startsWith('in/'));
  expect(made).toHaveLength(2);
  expect(made.toSorted()).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\d\/day 1\/take 1-214x120\.mp4$/),
    'thumbs/day 1/take 1.jpg',
  ]);
});

test('only files with a wanted name, and none below the folder if subfolders do not count, are converted', async () => {
  const one = await newClient('patterns');
  const watch = await newWatch(one, { patterns: ['take*.wav'], subfolders: false });
  const sound = soundOf(1);
  for (const name of ['take 1.wav', 'TAKE 2.WAV', 'notes.wav', 'take 3.mp3', 'day 1/take 4.wav', '.take 5.wav'])
    await one.media.put(`in/${name}`, sound);
  await watch.until({ converted: 2 });
  await expectQuiet(watch);
  expect(await inputsOf(one, watch)).toEqual(['in/TAKE 2.WAV', 'in/take 1.wav']);
});

test('files that exist when the watch is made can be left alone', async () => {
  const one = await newClient('existing');
  await one.media.put('in/old.wav', soundOf(1));
  const watch = await newWatch(one, { existing: 'ignore' });
  await watch.until({ skipped: 1 });
  await watch.scan();
  await one.media.put('in/new.wav', soundOf(2));
  await watch.until({ converted: 1, skipped: 1 });
  expect(await watch.files('state=SKIPPED')).toMatchObject([{ path: 'in/old.wav', skipped: 'EXISTED' }]);
});

test('a source is deleted after its conversion, and another file with its name is a new file', async () => {
  const one = await newClient('deleter');
  const watch = await newWatch(one, {
    source: 'delete',
    request: { output: 'out/{name}.wav', parameters: { 'c:a': 'pcm_s16le', y: 'true' } },
  });
  for (const seed of [1, 2]) {
    await one.media.put('in/a.wav', soundOf(seed));
    await watch.wait(`file ${seed} to be converted and deleted`, async () => {
      const [file] = await watch.files();
      const made = await one.media.get('out/a.wav').catch(() => undefined);
      return (file?.source === 'DONE' && made !== undefined && soundSame(made, soundOf(seed))) || undefined;
    });
    expect(await one.media.list('in')).toEqual([]);
  }
  await expectQuiet(watch);
  expect(await inputsOf(one, watch)).toEqual(['in/a.wav', 'in/a.wav']);
  const bin = await one.client.request<{ readonly entries: readonly { readonly path: string }[] }>('/api/bin');
  expect(bin.body.entries.map(({ path }) => path)).toEqual(['in/a.wav', 'in/a.wav']);
});

test('a moved source keeps its folders, and gets a number if its name is taken', async () => {
  const one = await newClient('mover');
  await one.media.put('done/day 1/a.wav', soundOf(0));
  const watch = await newWatch(one, { source: { moveTo: 'done/' } });
  await one.media.put('in/day 1/a.wav', soundOf(1));
  await watch.wait('the source to be moved', async () => (await watch.files())[0]?.source === 'DONE' || undefined);
  const done = await one.media.list('done');
  expect(done).toEqual(['day 1/a (2).wav', 'day 1/a.wav']);
  expect(soundSame(await one.media.get('done/day 1/a (2).wav'), soundOf(1))).toBe(true);
  expect(soundSame(await one.media.get('done/day 1/a.wav'), soundOf(0))).toBe(true);
});

test('content that changes after the conversion is ignored, or converted again if the watch says so', async () => {
  const one = await newClient('changer');
  const watch = await newWatch(one);
  await one.media.put('in/a.wav', soundOf(1));
  await watch.until({ converted: 1 });
  const convertedMs = Date.now();
  // S3 keeps the times of objects in whole seconds. A change in the second in which the job was taken may be one that the job missed.
  // The source is looked at once more right after the job: a change before that is converted too.
  await watch.wait(
    'the next second',
    async () => Date.now() > Math.ceil(convertedMs / 1000) * 1000 + 1000 || undefined,
  );
  await one.media.put('in/a.wav', soundOf(2, 0.5));
  await expectQuiet(watch);
  expect(await inputsOf(one, watch)).toEqual(['in/a.wav']);
  expect(soundSame(await one.media.get('out/a.wav'), soundOf(1))).toBe(true);

  await watch.change({ changed: 'convert' });
  await watch.wait('the new content to replace the output', async () => {
    const isNew = soundSame(await one.media.get('out/a.wav'), soundOf(2, 0.5));
    return (isNew && (await watch.read()).counts.converted === 1) || undefined;
  });
  await expectQuiet(watch);
  expect(await inputsOf(one, watch)).toEqual(['in/a.wav', 'in/a.wav']);
});

test('an output that lands in the watched folder is not converted again, also not by way of another watch', async () => {
  const one = await newClient('circles');
  const request = (output: string) => ({ output, parameters: { 'c:a': 'pcm_s16le' } });
  const own = await newWatch(one, { request: request('{folder}{name}-a.wav') });
  await one.media.put('in/in/x.wav', soundOf(1));
  await own.until({ converted: 1, skipped: 1 });
  expect(await own.files('state=SKIPPED')).toMatchObject([{ path: 'in/x-a.wav', skipped: 'OWN_OUTPUT' }]);

  const first = await newWatch(one, { folder: 'one/', request: request('two/{folder}{name}.wav') });
  const second = await newWatch(one, { folder: 'two/', request: request('{folder}{name}-b.wav') });
  await one.media.put('one/one/y.wav', soundOf(2));
  await second.until({ converted: 1 });
  await first.until({ converted: 1, skipped: 1 });
  expect(await first.files('state=SKIPPED')).toMatchObject([{ path: 'one/y-b.wav', skipped: 'OWN_OUTPUT' }]);
  await expectQuiet(first);
  expect((await one.media.list()).filter((path) => path.includes('y'))).toEqual([
    ...['one/one/y.wav', 'one/y-b.wav', 'two/one/y.wav'],
  ]);
});

test('a folder that is empty for a while makes no new jobs when its files come back', async () => {
  const one = await newClient('emptied');
  const watch = await newWatch(one);
  const sounds = { 'in/a.wav': soundOf(1), 'in/day 1/b.wav': soundOf(2) };
  for (const [path, sound] of Object.entries(sounds)) await one.media.put(path, sound);
  await watch.until({ converted: 2 });
  const back = await takeAway(one, Object.keys(sounds));
  await expectQuiet(watch);
  await back();
  await one.media.put('in/c.wav', soundOf(3));
  await watch.until({ converted: 3 });
  await expectQuiet(watch);
  expect(await inputsOf(one, watch)).toEqual(['in/a.wav', 'in/c.wav', 'in/day 1/b.wav']);
});

/** Removes files, as if their disk were gone. Resolves to a function that brings them back as they were. */
async function takeAway(
  { server, media, root }: WatchingClient,
  paths: readonly string[],
): Promise<() => Promise<void>> {
  if (server.scratchParent !== server.mediaRoot) {
    const contents = await Promise.all(paths.map((path) => media.get(path)));
    for (const path of paths) await media.remove(path);
    return async () => {
      for (const [index, path] of paths.entries()) await media.put(path, contents[index] ?? '');
    };
  }
  const at = (path: string): string => join(server.mediaRoot, root, path);
  const move = async (from: string, to: string): Promise<void> => {
    await mkdir(dirname(at(to)), { recursive: true });
    await rename(at(from), at(to));
  };
  for (const path of paths) await move(path, `away/${path}`);
  return async () => {
    for (const path of paths) await move(`away/${path}`, path);
  };
}

const DISKS = 'A bucket has no folders and renames nothing.';

onDisk(DISKS, 'ffmpeg')('a folder that is not there is unreachable, and nothing is lost or repeated', async () => {
  const one = await newClient('unmounted');
  const watch = await newWatch(one);
  await one.media.put('in/a.wav', soundOf(1));
  await watch.until({ converted: 1 });
  const at = (path: string): string => join(one.server.mediaRoot, one.root, path);
  await rename(at('in'), at('away'));
  await watch.wait('the watch to say so', async () => (await watch.read()).unreachableSince !== undefined || undefined);
  expect((await watch.read()).counts).toMatchObject({ converted: 1 });
  await one.media.put('away/b.wav', soundOf(2));
  await rename(at('away'), at('in'));
  const { unreachableSince } = await watch.until({ converted: 2 });
  expect(unreachableSince).toBeUndefined();
  expect(await inputsOf(one, watch)).toEqual(['in/a.wav', 'in/b.wav']);
});

onDisk(DISKS, 'ffmpeg')('a renamed file is the same file, and a copy of it is another one', async () => {
  const one = await newClient('renamer');
  const watch = await newWatch(one);
  await one.media.put('in/a.wav', soundOf(1));
  await watch.until({ converted: 1 });
  const at = (path: string): string => join(one.server.mediaRoot, one.root, path);
  await mkdir(at('in/day 1'));
  await rename(at('in/a.wav'), at('in/day 1/b.wav'));
  await watch.wait('the watch to know the new name', async () => {
    const files = await watch.files();
    return files.some(({ path }) => path === 'in/day 1/b.wav') || undefined;
  });
  expect(await watch.files()).toMatchObject([{ path: 'in/day 1/b.wav', state: 'CONVERTED' }]);
  await rename(at('in/day 1'), at('in/day 2'));
  await watch.wait('the watch to know the new folder', async () => {
    const files = await watch.files();
    return files.some(({ path }) => path === 'in/day 2/b.wav') || undefined;
  });
  await one.media.put('in/copy.wav', soundOf(1));
  await watch.until({ converted: 2 });
  expect(await inputsOf(one, watch)).toEqual(['in/a.wav', 'in/copy.wav']);
  await rm(at('in/copy.wav'));
});

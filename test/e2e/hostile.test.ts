import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { writePictures } from '../support/conversion-media.ts';
import { testFolder } from '../support/folders.ts';
import { clip, putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type Shared, sharedServer } from '../support/shared-server.ts';
import { drawing, POINTING_FILES, REACHING_OPTIONS, type Target } from './hostile-cases.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2', TELECINE_SANDBOX: 'required' } });
const test = needs('sandbox');

const SECRET = 'the-secret-that-must-not-leak';

let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
afterAll(() => void listener.close());

let made: Promise<Shared & { readonly target: Target }> | undefined;

const ready = () => {
  made ??= (async () => {
    const shared = await start();
    const folder = await testFolder('outside');
    const target: Target = {
      movie: join(folder, 'private.mp4'),
      text: join(folder, 'private.txt'),
      folder: join(folder, 'untouched'),
      listener: await new Promise<string>((done) =>
        listener.listen(0, '127.0.0.1', () => done(`127.0.0.1:${(listener.address() as AddressInfo).port}`)),
      ),
    };
    await mkdir(target.folder);
    await writeFile(target.movie, await readFile(await clip('480p', 3)));
    await writeFile(target.text, `1\n00:00:00,000 --> 00:00:09,000\n${SECRET}\n`);
    await putClip(shared.server.mediaRoot, '480p', 3, 'movie.mp4');
    await writePictures(join(shared.server.mediaRoot, 'shown.png'), 1);
    for (const [name, content] of POINTING_FILES) await writeFile(join(shared.server.mediaRoot, name), content(target));
    return { ...shared, target };
  })();
  return made;
};

test.concurrent.for(REACHING_OPTIONS)('%s reaches nothing', async ([title, options]) => {
  const { admin, target } = await ready();
  const output = `options/${title.replaceAll('/', '')}.mkv`;
  const parameters = { 'c:v': 'mpeg4', 'frames:v': '5', ...options(target) };
  const body = { input: 'movie.mp4', output, parameters };
  const answer = await admin.ask<{ readonly jobId: string }>('/api/conversion', { body });
  let told = JSON.stringify(answer.body);
  if (answer.status === 202) {
    const { jobId } = answer.body;
    const job = await admin.wait(jobId);
    expect(job).toMatchObject({
      status: 'FAILED',
      error: { code: expect.stringMatching(/^(FFMPEG_FAILED|UNSUPPORTED)$/) },
    });
    told = `${job.error?.message}${job.error?.fix}${await admin.log(jobId)}`;
  } else {
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    // What the caller wrote himself may be said again.
    told = told.replaceAll(target.folder, '');
  }
  for (const hidden of [SECRET, target.folder, 'root:x:0']) expect(told).not.toContain(hidden);
});

test.concurrent.for(POINTING_FILES)('%s, which points elsewhere, is not followed', async ([name]) => {
  const { admin, target } = await ready();
  const output = `files/${name}.mkv`;
  const job = await admin.run({ input: name, output, parameters: { c: 'copy' } });
  expect(job).toMatchObject({
    status: 'FAILED',
    error: { code: expect.stringMatching(/^(INPUT_INVALID|UNSUPPORTED)$/), fix: expect.stringMatching(/\w/) },
  });
  expect(job.error?.message).toContain(`"${name}"`);
  const told = `${job.error?.message}${await admin.log(job.jobId)}`;
  for (const hidden of [target.movie, target.listener, 'root:x:0']) expect(told).not.toContain(hidden);
});

test.concurrent('a drawing shows none of the pictures that it names', async () => {
  const { admin, server, target } = await ready();
  const picture = join(target.folder, '../private.png');
  await copyFile(join(server.mediaRoot, 'shown.png'), picture);
  const shows = (href: string) => drawing(`<image href="${href}" width="32" height="32"/>`);
  const drawings: Readonly<Record<string, string>> = {
    'empty.svg': drawing(''),
    'full.svg': drawing('<rect width="32" height="32" fill="red"/>'),
    'file.svg': shows(`file://${picture}`),
    'near.svg': shows('shown.png'),
    'up.svg': shows(`../../../../../../..${picture}`),
    'net.svg': shows(`http://${target.listener}/x.png`),
    'entity.svg': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file://${target.text}">]>${drawing('<text y="20">&x;</text>')}`,
  };
  const pixels = await Promise.all(
    Object.entries(drawings).map(async ([name, content]) => {
      await writeFile(join(server.mediaRoot, name), content);
      const job = await admin.run({ input: name, output: `drawn/${name}.bmp` });
      return job.status === 'COMPLETED' ? await readFile(join(server.mediaRoot, job.output), 'base64') : 'none';
    }),
  );
  const [empty = '', full, ...others] = pixels;
  expect(full, 'drawings are drawn, where this ffmpeg draws at all').toSatisfy((is) => is === 'none' || is !== empty);
  for (const one of others) expect(['none', empty]).toContain(one);
});

/** Options that only write names: they are refused, or what they write stays beside the output. */
const WRITING: readonly (readonly [string, (t: Target) => Readonly<Record<string, string>>])[] = [
  ['segments elsewhere', ({ folder }) => ({ hls_segment_filename: `${folder}/leak%d.ts` })],
  ['a key’s file', ({ text }) => ({ hls_key_info_file: text })],
  [
    'a key’s address',
    ({ folder }) => ({ hls_enc: '1', hls_enc_key: '0123456789abcdef', hls_enc_key_url: `${folder}/leak` }),
  ],
  [
    'a folder by a date',
    ({ folder }) => ({ strftime: '1', strftime_mkdir: '1', hls_segment_filename: `${folder}/%Y` }),
  ],
  ['a line of its own in the list', ({ listener }) => ({ hls_base_url: `http://${listener}/\n#EXT-X-KEY:x` })],
];

test.concurrent.for(WRITING)('HLS with %s writes nothing elsewhere', async ([title, options]) => {
  const { admin, target } = await ready();
  const parameters = { c: 'copy', ...options(target) };
  const body = { input: 'movie.mp4', output: `hls/${title}/a.m3u8`, parameters };
  const answer = await admin.ask<{ jobId: string }>('/api/conversion', { body });
  if (answer.status === 202) await admin.wait(answer.body.jobId);
  else expect(answer.status).toBe(400);
});

test('after all of that nobody came by, and nothing was written outside', async () => {
  const { target, server } = await ready();
  expect(connections).toBe(0);
  expect(await readdir(target.folder)).toEqual([]);
  expect((await readdir(join(target.folder, '..'))).sort()).toEqual([
    'private.mp4',
    'private.png',
    'private.txt',
    'untouched',
  ]);
  const outputs = (await readdir(server.mediaRoot, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  for (const { parentPath, name } of outputs) {
    const content = await readFile(join(parentPath, name), 'latin1');
    expect(content.includes(SECRET) || content.includes('root:x:0'), name).toBe(false);
  }
});

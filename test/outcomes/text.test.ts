import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { commonServer } from '../support/common-server.ts';
import { makeMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

let media: Promise<unknown> | undefined;

const cue = (words: string): string => `1\n00:00:00,200 --> 00:00:01,800\n${words}\n`;

/** "Привет мир" in Windows-1251, and the same and "žluťoučký" in UTF-16. */
const CP1251 = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0]);

async function makeFiles(root: string): Promise<void> {
  const put = (name: string, bytes: Uint8Array) => writeFile(join(root, name), bytes);
  const little = Buffer.from(`\ufeff${cue('Привет мир')}`, 'utf16le');
  await Promise.all([
    makeMedia(root, '-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=10:d=2', '-c:v', 'libx264', 'in.mp4'),
    put('little.srt', little),
    put('big.srt', Buffer.from(little).swap16()),
    put('cyrillic.srt', Buffer.concat([Buffer.from(cue('').trimEnd()), Buffer.from('\n'), CP1251, Buffer.from('\n')])),
  ]);
}

async function prepare() {
  const server = await start();
  media ??= makeFiles(server.server.mediaRoot);
  await media;
  return server;
}

beforeAll(async () => void (await prepare().catch(() => undefined)));

const UTF16: readonly (readonly [file: string, preset: string, language?: string])[] = [
  ['little.srt', 'soft-subtitles', 'rus'],
  ['big.srt', 'soft-subtitles', 'rus'],
  ['little.srt', 'burn-subtitles'],
];

test.for(UTF16)('recognises subtitles in UTF-16: %s, %s', async ([file, name, language], { expect }) => {
  const { own } = await prepare();
  const preset = { name, ...(language !== undefined && { arguments: { language } }) };
  const { error } = await own.run({ inputs: ['in.mp4', file], output: `${name}-${file}.mp4`, preset });
  expect(error?.message).toContain('UTF-16');
  expect(JSON.stringify(error?.fix)).toContain('Save the file as UTF-8');
  expect(JSON.stringify(error?.fix)).not.toContain('WINDOWS');
});

test('names the file whose text is not UTF-8, and the encodings of most such files', async ({ expect }) => {
  const { own } = await prepare();
  const inputs = ['in.mp4', 'cyrillic.srt'];
  const { error } = await own.run({ inputs, output: 'c.mp4', preset: { name: 'soft-subtitles' } });
  expect(error?.message).toContain('"cyrillic.srt" are not UTF-8');
  expect(JSON.stringify(error?.fix)).toContain('1251 for Cyrillic');
});

test('rejects an encoding that does not exist, and names those that do', async ({ expect }) => {
  const { own } = await prepare();
  const preset = { name: 'burn-subtitles', arguments: { encoding: 'latin99' } };
  const { body } = await own.request('/api/conversion', {
    body: { inputs: ['in.mp4', 'cyrillic.srt'], output: 'd.mp4', preset },
  });
  expect(body).toMatchObject({ status: 400, errors: [{ field: '/preset/arguments/encoding' }] });
  expect(JSON.stringify(body)).toContain('WINDOWS-1251');
});

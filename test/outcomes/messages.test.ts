import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import type { ProblemView } from '../../packages/contract/src/wire/problem.ts';
import { command } from '../../scripts/setup/command.ts';
import { commonServer } from '../support/common-server.ts';
import { callRejectedTool, callTool, mcpClient } from '../support/mcp-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

let media: Promise<void> | undefined;

async function ready() {
  const { server, own } = await start();
  media ??= makeMedia(server.mediaRoot);
  await media;
  return { server, own };
}

/** A box of MP4. */
const box = (type: string, ...content: readonly (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(content.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : one)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};

/** The header of a PNG of one bit a pixel, whose frame is larger than ffmpeg reads. */
function largePng(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    // ffmpeg does not check the sum.
    return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(40_000, 0);
  size.writeUInt32BE(40_000, 4);
  size[8] = 1;
  const parts = [chunk('IHDR', size), chunk('IDAT', deflateSync(Buffer.alloc(5001))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

const PAGE = '<!DOCTYPE html>\n<html><head><title>404</title></head><body>Not found</body></html>\n';
const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n';
const TTML = '<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml"><body><p begin="1s">Hi</p></body></tt>\n';
const UNNUMBERED = '00:00:01,000 --> 00:00:02,000\nHello\n\n00:00:03,000 --> 00:00:04,000\nWorld\n';
const rest = box('mdat', 'x'.repeat(300));
const heif = (brand: string): Buffer =>
  Buffer.concat([box('ftyp', brand, '\0\0\0\0mif1'), box('meta', '\0'.repeat(40)), rest]);

const FILES: Readonly<Record<string, string | Buffer>> = {
  'photo.heic': heif('heic'),
  'photo.heif': heif('mif1'),
  'photo.avif': heif('avif'),
  'scan.jpm': Buffer.concat([box('jP  ', '\r\n\x87\n'), box('ftyp', 'jpm ', '\0\0\0\0jpm '), rest]),
  'page.jpg': PAGE,
  'page.png': PAGE,
  'page.webp': PAGE,
  'page.tiff': PAGE,
  'pointer.png': POINTER,
  'captions.ttml': TTML,
  'captions.dfxp': TTML,
  'unnumbered.srt': UNNUMBERED,
  'large.png': largePng(),
};

async function makeMedia(root: string): Promise<void> {
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(root, name), content);
  for (const folder of ['inbox', 'other']) await mkdir(join(root, folder));
  await putSmallMovie(root, 4, 'film.mp4');
  // MP4 whose streams are encrypted, as in shops.
  const made = await command(tools().ffmpegPath, [
    ...['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=1', '-f', 'lavfi', '-i', 'sine=d=1'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-encryption_scheme', 'cenc-aes-ctr'],
    ...['-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb', '-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8'],
    join(root, 'shop.mp4'),
  ]);
  if (!made.ok) throw new Error(made.text);
}

const CAUSES: readonly (readonly [file: string, says: RegExp])[] = [
  ['photo.heic', /is a HEIC or HEIF image that this ffmpeg cannot read\./],
  ['photo.heif', /is a HEIC or HEIF image/],
  ['photo.avif', /is an AVIF image/],
  ['scan.jpm', /is a JPEG 2000 image/],
  ['page.jpg', /is not a media file: it is an HTML page\./],
  ['page.png', /HTML page/],
  ['page.webp', /HTML page/],
  ['page.tiff', /HTML page/],
  ['pointer.png', /a pointer of Git LFS/],
  ['captions.ttml', /is a subtitle file in TTML/],
  ['captions.dfxp', /is a subtitle file in TTML/],
  ['unnumbered.srt', /without numbers before its times/],
  ['large.png', /40000x40000/],
];

const WRONG = /moov|incomplete|damaged|error page of a download|no video stream/;

test.for(CAUSES)('a probe and a preview of %s say what it is', async ([file, says], { expect }) => {
  const { own } = await ready();
  const probed = await own.request<ProblemView>('/api/probe', { body: { input: file } });
  const previewed = await own.request<ProblemView>(`/api/files/${file}?view=frame`);
  for (const { status, body } of [probed, previewed]) {
    expect(status).toBe(422);
    expect(body.detail).toMatch(says);
    expect(body.detail).not.toMatch(WRONG);
  }
});

test.for(CAUSES.filter(([file]) => /heic|page\.png|pointer|ttml|unnumbered/.test(file)))(
  'a job of %s fails with what it is',
  async ([file, says], { expect }) => {
    const { own } = await ready();
    const output = /ttml|srt/.test(file) ? `causes/${file}.vtt` : `causes/${file}.jpg`;
    const { status, error } = await own.run({ input: file, output });
    expect(status).toBe('FAILED');
    expect(error?.message).toMatch(says);
  },
);

test.for([
  ['encoded', { 'c:v': 'libx264', preset: 'ultrafast' }],
  ['copied', { c: 'copy' }],
] as const)(
  'an encrypted MP4 that is %s is called encrypted, and not damaged',
  async ([name, parameters], { expect }) => {
    const { own } = await ready();
    const { status, error } = await own.run({ input: 'shop.mp4', output: `encrypted/${name}.mp4`, parameters });
    expect(status).toBe('FAILED');
    expect(error?.message).toBe('The input "shop.mp4" is encrypted, so its streams cannot be converted.');
  },
);

/** A recipe's argument beside the recipe, and where it belongs. */
const BESIDE: readonly (readonly [name: string, sent: object, right: object])[] = [
  ['gif', { width: 320 }, { name: 'gif', arguments: { width: 320 } }],
  ['gif', { start: 1, length: 2 }, { name: 'gif', arguments: { start: 1, length: 2 } }],
  ['target-size', { size: 3 }, { name: 'target-size', arguments: { size: 3 } }],
  ['loudness', { target: -14 }, { name: 'loudness', arguments: { target: -14 } }],
  ['web-h264', { quality: 'high' }, { name: 'web-h264', arguments: { quality: 'high' } }],
];

const OUTPUTS: Readonly<Record<string, string>> = { gif: 'a.gif', loudness: 'a.mp3' };

test.for(BESIDE)(
  'REST and MCP say that an argument beside %s belongs into it: %j',
  async ([name, sent, right], { expect, onTestFinished }) => {
    const { server, own } = await ready();
    const call = { input: 'film.mp4', output: OUTPUTS[name] ?? 'a.mp4', preset: { name }, ...sent };
    const { status, body } = await own.request<ProblemView>('/api/conversion?dryRun=true', { body: call });
    expect(status).toBe(400);
    const [first] = body.errors?.filter(({ field }) => !field.startsWith('/preset')) ?? [];
    expect(first?.fix).toContain(`Send "preset": ${JSON.stringify(right)}`);
    expect(first?.fix).toContain('an argument of a recipe belongs in "preset.arguments"');
    const client = await mcpClient(server.url, own.token, undefined, onTestFinished);
    const error = await callRejectedTool(client, 'convert_media', { ...call, dryRun: true });
    expect(error.corrected).toMatchObject({ preset: right });
    expect(error.corrected).not.toHaveProperty('parameters');
  },
);

test('a typo in a path is an error with the near name for a tool, and a warning for REST', async ({
  expect,
  onTestFinished,
}) => {
  const { server, own } = await ready();
  const call = { input: 'flim.mp4', output: 'typo/a.mp4', parameters: { c: 'copy' } };
  const client = await mcpClient(server.url, own.token, undefined, onTestFinished);
  const error = await callRejectedTool(client, 'convert_media', call);
  expect(error).toMatchObject({ code: 'INPUT_NOT_FOUND', field: '/input' });
  expect(error.fix).toContain('"film.mp4"');
  // The job of "after" may write the file.
  const parent = await own.accept({ input: 'film.mp4', output: 'typo/b.mp4', parameters: { c: 'copy' } });
  const waiting = await callTool<{ jobId: string }>(client, 'convert_media', { ...call, after: [parent] });
  expect(waiting.jobId).toBeDefined();
  const { status, body } = await own.request<DryRunView>('/api/conversion', {
    body: { ...call, output: 'typo/c.mp4' },
  });
  expect(status).toBe(202);
  expect(body.warnings).toMatchObject([{ code: 'INPUT_NOT_FOUND', near: ['film.mp4'] }]);
});

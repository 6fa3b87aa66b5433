import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { opened } from '../fixtures/disturbed-s3.ts';
import { at } from '../fixtures/media-plans.ts';
import { needs } from '../support/needs.ts';

const test = needs('an S3 server');

test('of a large object, a frame near its beginning copies only the ends, and a small one is copied whole', async () => {
  const t = await opened();
  const content = randomBytes(1000);
  const put = (name: string, Body: Uint8Array) =>
    t.client.send(new PutObjectCommand({ Bucket: t.bucket, Key: `telecine/clients/amy/${name}`, Body }));
  await put('large.mp4', content);
  await put('small.mp4', content.subarray(0, 300));
  const stage = async (path: string) => {
    const input = await t.media.stageFile(t.root, at(path), 'in/0.mp4', undefined, 100);
    const [mount] = t.media.mounts([input]);
    const copied = await readFile(mount?.hostPath ?? '');
    await t.media.removeInput(input);
    return { input, copied };
  };
  const large = await stage('large.mp4');
  expect(large.input).toMatchObject({ isPartial: true, sizeBytes: 1000 });
  const [first, last] = [content.subarray(0, 100), content.subarray(900)];
  expect(large.copied.equals(Buffer.concat([first, Buffer.alloc(800), last]))).toBe(true);
  const small = await stage('small.mp4');
  expect(small.input.isPartial).toBeUndefined();
  expect(small.copied.equals(content.subarray(0, 300))).toBe(true);
});

test('more bytes are copied into a partial copy, but not of an object that has replaced it', async () => {
  const t = await opened();
  const content = randomBytes(1000);
  const put = (Body: Uint8Array) =>
    t.client.send(new PutObjectCommand({ Bucket: t.bucket, Key: 'telecine/clients/amy/film.mp4', Body }));
  await put(content);
  const input = await t.media.stageFile(t.root, at('film.mp4'), 'in/0.mp4', undefined, 100);
  const [mount] = t.media.mounts([input]);
  const fill = (from: number, to: number) =>
    t.media.fillInput?.(t.root, at('film.mp4'), input, [[from, to]], new AbortController().signal);
  await fill(400, 600);
  const copied = await readFile(mount?.hostPath ?? '');
  expect(copied.subarray(400, 600).equals(content.subarray(400, 600))).toBe(true);
  expect(copied.subarray(600, 900).equals(Buffer.alloc(300))).toBe(true);
  await put(randomBytes(1000));
  await expect(fill(600, 700)).rejects.toMatchObject({ failure: { code: 'INPUT_INVALID' } });
  expect((await readFile(mount?.hostPath ?? '')).equals(copied)).toBe(true);
  await t.media.removeInput(input);
});

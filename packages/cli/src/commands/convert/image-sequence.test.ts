import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandParameters } from '../../session/parameters.ts';
import { type ConversionOrder, prepareConversion } from './conversion-order.ts';
import { withFrames } from './input-files.ts';

/** An order with one input in a folder that has these files. */
function orderOf(files: readonly string[], name: string, parameters?: CommandParameters): ConversionOrder {
  const cwd = mkdtempSync(join(tmpdir(), 'telecine-frames-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const file of files) writeFileSync(join(cwd, file), '');
  return {
    inputs: [
      {
        location: { on: 'local', path: join(cwd, name) },
        parameters,
        duration: undefined,
        crossfade: undefined,
      },
    ],
    output: { on: 'local', path: join(cwd, 'out.mp4') },
    format: undefined,
    parameters: {},
    replace: false,
    strict: false,
    metadata: undefined,
    expiresAfterSeconds: undefined,
    priority: undefined,
  };
}

const FOLDER = 'cli/2026-11-21-x';

/** The request for an order, and its uploads by their names. */
async function prepared(order: ConversionOrder) {
  const { request, uploads, names } = prepareConversion(await withFrames(order), FOLDER);
  const files = uploads.flatMap(({ frames, ...file }) => frames ?? [file]);
  return {
    request,
    names,
    sent: files.map(({ file, path }) => `${basename(file)} → ${path.slice(FOLDER.length + 1)}`),
  };
}

test('the files of a counter are uploaded under their numbers, and the input is their pattern', async () => {
  const order = orderOf(
    ['a, b_010.PNG', 'a, b_008.PNG', 'a, b_009.PNG', 'a, b_9.PNG', 'a, b_009.txt'],
    'a, b_%03d.PNG',
    { framerate: '10' },
  );
  const { request, sent } = await prepared(order);
  expect(request.inputs).toEqual([{ input: `${FOLDER}/0-frames/%06d.PNG`, parameters: { framerate: '10' } }]);
  expect(sent).toEqual([
    'a, b_008.PNG → 0-frames/000008.PNG',
    'a, b_009.PNG → 0-frames/000009.PNG',
    'a, b_010.PNG → 0-frames/000010.PNG',
  ]);
});

test('the files of a wildcard are uploaded in the order of their names, with numbers', async () => {
  const order = orderOf(['b.png', 'a.png', 'c.jpg'], '*.png', { pattern_type: 'glob', framerate: '10' });
  const { request, sent } = await prepared(order);
  expect(request.inputs).toEqual([{ input: `${FOLDER}/0-frames/%06d.png`, parameters: { framerate: '10' } }]);
  expect(sent).toEqual(['a.png → 0-frames/000000.png', 'b.png → 0-frames/000001.png']);
});

test('a file of exactly that name is a file', async () => {
  const { request, sent } = await prepared(orderOf(['a%03d.png', 'a001.png'], 'a%03d.png'));
  expect(request.input).toBe(`${FOLDER}/0-a_03d.png`);
  expect(sent).toEqual(['a%03d.png → 0-a_03d.png']);
});

test('messages name the pattern and the frames as the caller wrote them', async () => {
  const order = orderOf(['f1.png', 'f2.png'], 'f%d.png');
  const path = order.inputs[0]?.location.path ?? '';
  const { names } = await prepared(order);
  const message = `"${FOLDER}/0-frames/%06d.png": "${FOLDER}/0-frames/000002.png" is damaged.`;
  expect(names.message({ message }).message).toBe(`"${path}": "${path.replace('%d', '2')}" is damaged.`);
});

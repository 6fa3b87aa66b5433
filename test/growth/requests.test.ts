// @module-tag long
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { growthError } from '../support/growth.ts';
import { startCounting } from '../support/work.ts';

const counter = startCounting();
const { readRequest } = await import('./read-request.ts');
const { REQUESTS } = await import('./request-cases.ts');

test.each(REQUESTS)('the work to check a request grows linearly: %s', async (_title, requestOf, size) => {
  const bodyOf = (of: number): string => JSON.stringify(requestOf(of));
  const prepare = (of: number) => {
    const body = bodyOf(of);
    return () => readRequest(body);
  };
  expect(await growthError(counter, prepare, size)).toBeUndefined();
});

/** The parsers and checks of which the requests above have to run code. */
const CHECKED = [
  ...['filtergraph', 'expression', 'values', 'bsf', 'plan/checks', 'plan/request', 'plan/joining'].map(
    (folder) => `packages/ffmpeg/src/${folder}/**/*.ts`,
  ),
  'packages/contract/src/wire/{json,explain}*.ts',
];

/** Files that the requests need not run, with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'packages/ffmpeg/src/filtergraph/crop-passes.ts': 'changes checked graphs of measured passes',
  'packages/ffmpeg/src/filtergraph/filter-context.ts': 'only types',
  'packages/ffmpeg/src/filtergraph/loudness-passes.ts': 'changes checked graphs of measured passes',
  'packages/ffmpeg/src/filtergraph/pass-graphs.ts': 'changes checked graphs of measured passes',
  'packages/ffmpeg/src/filtergraph/speech-model.ts': 'finds the model of a machine',
  'packages/ffmpeg/src/filtergraph/speech.ts': 'makes the filter of transcripts',
  'packages/ffmpeg/src/plan/request/frame-rate-modes.ts': 'finds the mode of one video for chunks and quality targets',
  'packages/ffmpeg/src/plan/request/video-options.ts': 'finds the value of one video for chunks and quality targets',
  'packages/ffmpeg/src/values/h264-levels.ts': 'looks for a number in a short table',
  'packages/ffmpeg/src/values/hex-key.ts': 'reads a key of 32 digits',
  'packages/ffmpeg/src/values/span-length.ts': 'reads times that are checked',
  'packages/contract/src/wire/json-error.ts': 'texts.test.ts runs it',
};

test('the requests run every parser and check', () => {
  const files = CHECKED.flatMap((pattern) => globSync(pattern, { cwd: resolve(import.meta.dirname, '../..') }));
  const ran = counter.ranFiles();
  const missing = files.filter((file) => !file.endsWith('.test.ts') && !ran.has(file));
  expect(missing.sort()).toEqual(Object.keys(NOT_RUN).sort());
});

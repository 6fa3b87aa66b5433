import { sendOption } from '@telecine/contract/domain/edit.ts';
import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { followFixes } from './follow-fixes.ts';
import type { Tool, ToolContext } from './tool.ts';

const ERROR = { field: '/parameters/crf', code: 'OUT_OF_RANGE', message: 'Too high.', fix: sendOption('crf', '51') };
const LOW = {
  field: '/parameters/b:v',
  code: 'LOW_BIT_RATE',
  message: 'Only 128 bits.',
  fix: sendOption('b:v', '128k'),
};
const SONG = { field: '/input', code: 'PICTURE_OF_ONE_FRAME', message: 'The film has one picture.', fix: 'Send "vn".' };

test('the corrected call has all warnings that a dry run of it has, also those that came with others before', async () => {
  const tool = {
    input: z.any(),
    check: async ({ parameters }: { readonly parameters: { readonly crf: string; readonly 'b:v': string } }) => {
      if (parameters.crf !== '51') throw invalidRequest([ERROR]);
      return { warnings: parameters['b:v'] === '128' ? [SONG, LOW] : [SONG] };
    },
  } as unknown as Tool;
  const context = { signal: new AbortController().signal, call: { countSubmission: async () => undefined } };
  const sent = { input: 'a.mp4', output: 'b.mp4', parameters: { crf: '60', 'b:v': '128' } };
  expect(await followFixes(tool, sent, [ERROR], context as unknown as ToolContext)).toMatchObject({
    corrected: { parameters: { crf: '51', 'b:v': '128k' } },
    warnings: [{ code: SONG.code }],
  });
});

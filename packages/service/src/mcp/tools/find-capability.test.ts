import { expect, test } from 'vitest';
import { BUILT_IN } from '../../recipes/built-in/all.ts';
import type { ToolContext } from '../tool.ts';
import { describeRecipe, findCapabilityTool } from './find-capability.ts';

test('an input that can only be an argument is among the arguments', () => {
  const slideshow = BUILT_IN.find(({ name }) => name === 'slideshow');
  if (slideshow === undefined) throw new Error('The recipe "slideshow" is missing.');
  const { inputs, arguments: own } = describeRecipe({ ...slideshow, source: 'built-in' });
  expect(inputs).toContain('music (optional, in arguments)');
  expect(own).toMatchObject({ music: 'path of a file, optional. An audio file that plays meanwhile.' });
});

test('a recipe that reads one sound says how to take another one of the file', () => {
  const inputsOf = (wanted: string) =>
    BUILT_IN.filter(({ name }) => name === wanted).map((one) => describeRecipe({ ...one, source: 'built-in' }).inputs);
  expect(inputsOf('mp3')).toEqual(['sound (one of several: "parameters": {"map": "0:a:1"} for the second)']);
  expect(inputsOf('waveform')).toEqual(['sound']);
});

test('a command of ffmpeg becomes the arguments of a conversion, or says why not', async () => {
  const read = (command: string) =>
    findCapabilityTool.run({ command, kind: 'recipes', limit: 10 }, undefined as unknown as ToolContext);
  expect(await read('ffmpeg -hide_banner -i in.mov -crf 23 out.mp4')).toMatchObject({
    structured: {
      arguments: { input: 'in.mov', output: 'out.mp4', parameters: { crf: '23' } },
      leftOut: { '-hide_banner': expect.any(String) },
    },
  });
  await expect(read('ffmpeg -i in.mov $OUT')).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    errors: [{ field: '/command', code: 'SHELL_SYNTAX' }],
  });
});

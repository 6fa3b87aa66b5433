import { expect, test } from 'vitest';
import type { ToolContext } from '../tool.ts';
import { findCapabilityTool } from './find-capability.ts';

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

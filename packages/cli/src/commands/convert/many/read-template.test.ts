import { expect, test } from 'vitest';
import { readTemplate } from './output-template.ts';

test('the folder of --to needs the format of the outputs', async () => {
  expect(await readTemplate('new/', 'mkv')).toBe('new/{name}.mkv');
  await expect(readTemplate('new/', undefined)).rejects.toMatchObject({
    message: '--to names a folder, and the format of the outputs is missing.',
    fix: "Add their format, such as -f mp4. Or name them: --to 'new/{name}.mp4'.",
  });
});

test('one file is no folder', async () => {
  await expect(readTemplate('new/film.mkv', 'mkv')).rejects.toMatchObject({
    fix: "Name a folder: --to new/, or all files: --to 'new/{name}.mkv'.",
  });
  expect(await readTemplate('new/{name}.mkv', undefined)).toBe('new/{name}.mkv');
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rejectOutputFirst } from './command-mistakes.ts';
import type { ConversionOrder } from './conversion-order.ts';

test('a command whose first file is missing and whose last one exists names its output first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'telecine-order-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [film, output] = [join(folder, 'film.mov'), join(folder, 'out.mp4')];
  await writeFile(film, '');
  const order = (input: string, last: string): ConversionOrder => ({
    inputs: [
      {
        location: { on: 'local', path: input },
        parameters: undefined,
        duration: undefined,
        crossfade: undefined,
        nameBefore: undefined,
      },
    ],
    output: { on: 'local', path: last },
    format: undefined,
    parameters: {},
    join: undefined,
    preset: undefined,
    replace: true,
    strict: false,
    metadata: undefined,
    expiresAfterSeconds: undefined,
    priority: undefined,
  });
  await expect(rejectOutputFirst(order(output, film))).rejects.toMatchObject({
    message: `There is no file ${output}, and the last file, ${film}, exists.`,
  });
  await expect(rejectOutputFirst(order(film, output))).resolves.toBeUndefined();
  await expect(rejectOutputFirst(order(output, join(folder, 'none.mov')))).resolves.toBeUndefined();
});

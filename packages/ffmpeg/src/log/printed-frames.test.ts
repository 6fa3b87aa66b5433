import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { printedLineReader, readPrinted } from './printed-frames.ts';

const read = (lines: readonly string[]) => {
  const reader = printedLineReader();
  return lines.flatMap((line) => reader(line) ?? []);
};

test('reads the value of each frame', () => {
  expect(
    read([
      ...['frame:0    pts:0       pts_time:0', 'lavfi.r128.I=-70.000'],
      ...['frame:1    pts:4800    pts_time:0.1', 'lavfi.r128.I=-inf', 'frame:2    pts:9600    pts_time:0.2'],
      ...['lavfi.r128.I=-1.5e-05'],
    ]),
  ).toEqual([
    { at: 0, pts: '0', value: -70 },
    { at: 0.1, pts: '4800', value: Number.NEGATIVE_INFINITY },
    { at: 0.2, pts: '9600', value: -1.5e-5 },
  ]);
});

test('skips lines that are not numbers, and values without a frame', () => {
  expect(
    read(['lavfi.x=1', 'frame:0 pts:0 pts_time:0', 'lavfi.x=1;rm', 'title=one', 'lavfi.x=0x10', 'frame:1']),
  ).toEqual([]);
});

/** What is read of a file with this text. */
async function valuesIn(text: string, signal?: AbortSignal): Promise<readonly number[]> {
  const dir = await mkdtemp(join(tmpdir(), 'printed-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  await writeFile(join(dir, 'values.txt'), text);
  const found: number[] = [];
  for await (const { value } of readPrinted(join(dir, 'values.txt'), signal)) found.push(value);
  return found;
}

const FRAME = 'frame:0    pts:0       pts_time:0\nlavfi.r128.I=';

test('reads the values of a file, also behind a line without an end', async () => {
  expect(await valuesIn(`${FRAME}-7\n${'x'.repeat(1_000_000)}\n${FRAME}-8`)).toEqual([-7, -8]);
});

test('reads no further once the job is cancelled', async () => {
  await expect(valuesIn(`${FRAME}-7\n`, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled');
});

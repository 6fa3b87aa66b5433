import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { OutputFiles } from '../../domain/plan.ts';
import { openDirectory } from '../scratch/directory-handle.ts';
import { writeTexts } from './write-texts.ts';

test('a text replaces what an input made ffmpeg write there, and follows no symlink', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telecine-texts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const foreign = join(folder, 'foreign');
  writeFileSync(foreign, 'untouched');
  symlinkSync(foreign, join(folder, 'a.vtt'));
  const out = await openDirectory(folder);
  const files = { subfolder: '' } as OutputFiles;
  await writeTexts(out, [{ files, report: {}, texts: [{ name: 'a.vtt', text: 'WEBVTT' }] }]);
  await out.close();
  expect(readFileSync(join(folder, 'a.vtt'), 'utf8')).toBe('WEBVTT');
  expect(readFileSync(foreign, 'utf8')).toBe('untouched');
});

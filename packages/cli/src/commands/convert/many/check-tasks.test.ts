import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandInput } from '../inputs.ts';
import { checkTasks } from './check-tasks.ts';
import { tasksOf } from './output-template.ts';

/** The conversions of `names` in a folder, which has a symlink `link` to the folder `films`. */
function tasksIn(names: readonly string[], template: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'telecine-tasks-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  mkdirSync(join(cwd, 'films'));
  symlinkSync(join(cwd, 'films'), join(cwd, 'link'));
  for (const name of ['a.mov', 'a.mp4', 'b.mov']) writeFileSync(join(cwd, 'films', name), '');
  const inputs = names.map(
    (name): CommandInput => ({
      location: { on: 'local', path: `${cwd}/${name}` },
      parameters: undefined,
      duration: undefined,
      crossfade: undefined,
    }),
  );
  return tasksOf(inputs, `${cwd}/${template}`, {
    format: undefined,
    parameters: {},
    replace: true,
    strict: false,
    metadata: undefined,
    expiresAfterSeconds: undefined,
    priority: undefined,
  });
}

test('an output replaces no input, also by another path to its folder', async () => {
  const tasks = tasksIn(['films/a.mov', 'films/a.mp4'], 'link/{name}.mp4');
  await expect(checkTasks(tasks.slice(0, 1))).resolves.toBeUndefined();
  await expect(checkTasks(tasks)).rejects.toMatchObject({ code: 'OUTPUT_IS_INPUT' });
});

test('an output replaces no input, however it is spelled', async () => {
  const tasks = tasksIn(['films/a.mov', 'films/./b.mov'], 'films/{name}/../b.mov');
  await expect(checkTasks(tasks.slice(0, 1))).resolves.toBeUndefined();
  await expect(checkTasks(tasks)).rejects.toMatchObject({ code: 'OUTPUT_IS_INPUT' });
});

test('one file is converted once', async () => {
  await expect(checkTasks(tasksIn(['films/a.mov', 'films/./a.mov'], 'new/{name}.mkv'))).rejects.toMatchObject({
    code: 'OUTPUT_CLASH',
    message: expect.stringContaining('would both be converted to'),
  });
});

test('all inputs that are not files are named together', async () => {
  const several = checkTasks(tasksIn(['films/a.mov', 'x.mov', 'y.mov'], 'new/{name}.mkv'));
  await expect(several).rejects.toMatchObject({
    message: expect.stringMatching(/^2 of 3 inputs are not files: .*x.mov/),
  });
  const folder = checkTasks(tasksIn(['films/a.mov', 'films'], 'new/{name}.mkv'));
  await expect(folder).rejects.toMatchObject({ fix: expect.stringMatching(/^Name its files: .*films\/\*$/) });
  // Without --to, a command converts the images of a sequence.
  const sequence = checkTasks(tasksIn(['films/f_%03d.png'], 'new/{name}.mkv'));
  await expect(sequence).rejects.toMatchObject({ fix: expect.stringContaining('without --to') });
});

test('two conversions have two outputs, also by different paths', async () => {
  const tasks = [...tasksIn(['films/a.mov'], 'films/out.mkv')];
  const [first] = tasks;
  if (first === undefined) throw new Error('There is no task.');
  const output = { on: 'local', path: first.order.output.path.replace('/films/', '/link/') } as const;
  const other = { file: 'b.mov', order: { ...first.order, output } };
  await expect(checkTasks([first, other])).rejects.toMatchObject({ code: 'OUTPUT_CLASH' });
});

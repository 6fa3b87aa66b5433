import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandInput } from '../inputs.ts';
import { checkTasks } from './check-tasks.ts';
import { tasksOf } from './tasks.ts';

/** The conversions of `names` in a folder, which has a symlink `link` to the folder `films`. */
function tasksIn(names: readonly string[], template: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'telecine-tasks-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  mkdirSync(join(cwd, 'films'));
  symlinkSync(join(cwd, 'films'), join(cwd, 'link'));
  for (const name of ['a.mov', 'a.mp4', 'b.mov']) writeFileSync(join(cwd, 'films', name), '');
  const inputs = names.map(
    (name): CommandInput => ({
      location: { on: 'local', path: join(cwd, name) },
      parameters: undefined,
      duration: undefined,
      crossfade: undefined,
      nameBefore: undefined,
    }),
  );
  return tasksOf(inputs, join(cwd, template), {
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

test('two conversions have two outputs, also by different paths', async () => {
  const tasks = [...tasksIn(['films/a.mov'], 'films/out.mkv')];
  const [first] = tasks;
  if (first === undefined) throw new Error('There is no task.');
  const output = { on: 'local', path: first.order.output.path.replace('/films/', '/link/') } as const;
  const other = { file: 'b.mov', order: { ...first.order, output } };
  await expect(checkTasks([first, other])).rejects.toMatchObject({ code: 'OUTPUT_CLASH' });
});

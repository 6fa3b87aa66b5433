import { expect, test } from 'vitest';
import { settingsFromWorkbench, settingsInWorkbench } from './workbench-settings.ts';

const NOW = new Date('2026-01-31T12:00:00Z');
const FILE = 'in/mon/take 1.mov';

const REQUEST = {
  output: 'out/{folder}{name}-{height}p.mp4',
  parameters: { crf: '23' },
  preset: { name: 'titled', arguments: { title: '{name}' } },
  priority: 2,
};

/** The request of a watch after a change in the workbench. */
function changed(request: Parameters<typeof settingsInWorkbench>[0]['request'], change: object, file = FILE) {
  const watch = { folder: 'in/', request };
  const shown = settingsInWorkbench(watch, file, NOW);
  return settingsFromWorkbench(watch, file, { ...shown, ...change }, NOW);
}

test('the workbench shows the settings of a watch for one of its files, and gives them back as they were', () => {
  expect(settingsInWorkbench({ folder: 'in/', request: REQUEST }, FILE, NOW)).toMatchObject({
    ...{ input: FILE, output: 'out/mon/take 1-1080p.mp4', preset: { arguments: { title: 'take 1' } } },
  });
  expect(changed(REQUEST, {})).toEqual(REQUEST);
});

test('what is changed in the workbench is changed for all files, and the rest keeps its placeholders', () => {
  expect(changed(REQUEST, { parameters: { crf: '20', tune: 'film' } })).toEqual({
    ...REQUEST,
    parameters: { crf: '20', tune: 'film' },
  });
  expect(changed(REQUEST, { output: 'out/mon/take 1-1080p.mkv' })).toEqual({
    ...REQUEST,
    output: 'out/{folder}{name}-{height}p.mkv',
  });
  expect(changed(REQUEST, { output: 'web/take 1.mp4' }).output).toBe('web/{name}.mp4');
});

test('inputs keep the placeholder of the file, and get it if they are new', () => {
  const inputs = ['{path}', 'subtitles/{name}.srt'];
  const request = { inputs, output: 'out/{name}.mp4' };
  expect(changed(request, { parameters: { crf: '20' } })).toEqual({ ...request, parameters: { crf: '20' } });
  expect(changed({ output: 'out/{name}.mp4' }, { input: undefined, inputs: [FILE, 'logo.png'] })).toEqual({
    inputs: ['{path}', 'logo.png'],
    output: 'out/{name}.mp4',
  });
});

test('the outputs of several stay, and an added one is named after each file', () => {
  const outputs = [{ output: 'out/{name}.mp4', parameters: { crf: '20' } }, { output: 'out/{name}.jpg' }];
  const shown = settingsInWorkbench({ folder: 'in/', request: { outputs } }, FILE, NOW).outputs ?? [];
  expect(changed({ outputs }, { outputs: [...shown, { output: 'web/take 1.webm' }] })).toEqual({
    outputs: [...outputs, { output: 'web/{name}.webm' }],
  });
});

test('without a file, the workbench shows the settings with their placeholders', () => {
  const watch = { folder: 'in/', request: { output: 'out/{folder}{name}.mp4' } };
  expect(settingsInWorkbench(watch, '', NOW)).toEqual(watch.request);
  const request = { input: 'in/new.mov', output: 'out/{folder}{name}.mp4', parameters: { crf: '20' } };
  expect(settingsFromWorkbench(watch, '', request, NOW)).toEqual({ ...watch.request, parameters: { crf: '20' } });
});

import type { Watch, WatchDryRun } from '@telecine/client/api.ts';
import { expect, test } from 'vitest';
import { showDryRun, showFiles, showWatch, showWatches } from './watch-lines.ts';

const LAST_SCAN = { at: '2026-01-31T12:00:05.000Z', seconds: 0.41, files: 214 };

const WATCH: Watch = {
  watchId: 'W',
  client: 'shop',
  name: 'incoming',
  folder: 'in/',
  patterns: ['*.mov'],
  subfolders: true,
  request: { output: 'out/{folder}{name}.mp4', preset: { name: 'web-h264' } },
  source: { moveTo: 'done/' },
  changed: 'ignore',
  existing: 'convert',
  settleSeconds: 10,
  maxUnfinished: 20,
  state: 'ACTIVE',
  lastScan: LAST_SCAN,
  counts: { ready: 190, submitted: 20, converted: 3, failed: 0, needsAttention: 1, skipped: 0 },
  createdAt: '2026-01-31T12:00:00.000Z',
  changedAt: '2026-01-31T12:00:00.000Z',
  links: { self: '', files: '', jobs: '' },
};

const RUN: WatchDryRun = {
  files: 214,
  sizeBytes: 96e9,
  examples: [
    { path: 'in/take 1.mov', sizeBytes: 1, outputs: ['out/take 1.mp4'] },
    { path: 'in/bad.mov', sizeBytes: 1, failure: { code: 'INPUT_INVALID', message: 'It cannot be read.' } },
  ],
  examined: 2,
  rejected: 1,
  estimate: { seconds: 10_800, sizeBytes: 12e9 },
  warnings: ['"crf" is low. Send "crf": "23".'],
};

test('a dry run shows what would be converted to what, and what would be rejected', () => {
  expect(showDryRun(RUN)).toEqual([
    '214 files would be converted, about 3 h, 12 GB.',
    '  in/take 1.mov  →  out/take 1.mp4',
    '  and 212 more',
    '1 of the 2 examined files would be rejected.',
    '  in/bad.mov: INPUT_INVALID',
    '    It cannot be read.',
    'warning: "crf" is low. Send -p crf=23.',
  ]);
});

test('a list has a row for each watch', () => {
  expect(showWatches([WATCH])[1]).toMatch(/^incoming +in\/ +shop +converting +190 +20 +3 +1 +W$/);
  expect(showWatches([])).toEqual([expect.stringContaining('telecine watch add')]);
});

test('a watch shows its state, and its failures with fixes', () => {
  const failures = [
    {
      code: 'INPUT_INVALID',
      paths: ['in/bad.mov'],
      messages: ['"in/bad.mov" cannot be read.'],
      fixes: ['Send another file.'],
    },
  ];
  const lines = showWatch({ ...WATCH, failures });
  expect(lines).toContainEqual(expect.stringMatching(/^folder +in\/$/));
  expect(lines).toContainEqual(
    expect.stringMatching(/^request +output out\/\{folder\}\{name\}\.mp4, preset name web-h264$/),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^source +move to done\/$/));
  expect(lines).toContainEqual(
    expect.stringMatching(/^counts +ready 190, submitted 20, converted 3, .*needs attention 1/),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^now +converting$/));
  expect(lines.slice(lines.indexOf('INPUT_INVALID  1 file'))).toEqual([
    'INPUT_INVALID  1 file',
    '  "in/bad.mov" cannot be read.',
    '  Send another file.',
    '    in/bad.mov',
    '',
    'To convert them again: telecine watch retry W',
  ]);
  const more = { ...WATCH, counts: { ...WATCH.counts, needsAttention: 1234 }, failures };
  expect(showWatch(more)).toContain('These are the first 1 of 1,234 files that need attention.');
  expect(lines.join()).not.toContain('the first');
  const away = { ...WATCH, unreachableSince: '2026-01-31T13:00:00.000Z', failures: [] };
  expect(showWatch(away)).toContainEqual(expect.stringMatching(/^now +folder unreachable$/));
  expect(showWatch(away)).toContainEqual(expect.stringMatching(/^unreachable since +2026-01-31T13:00:00/));
});

test('an administrator sees of which client each watch is', () => {
  const [head, ...rows] = showWatches([WATCH, { ...WATCH, client: 'amy' }]);
  expect(head).toMatch(/^NAME +FOLDER +CLIENT +STATE/);
  expect(rows[1]).toMatch(/^incoming +in\/ +amy +converting/);
});

test('a list of files has a row for each', () => {
  const file = {
    ...{ path: 'in/bad.mov', sizeBytes: 1, state: 'NEEDS_ATTENTION' as const, attempts: 1 },
    ...{ seenAt: '2026-01-31T12:00:00.000Z', changedAt: '2026-01-31T12:00:00.000Z' },
  };
  expect(showFiles([file])).toHaveLength(2);
});

test('a watch that was just made shows what is probably a mistake', () => {
  const made = { ...WATCH, warnings: ['"crf" is low. Send "crf": "23".'], failures: [] };
  expect(showWatch(made)).toContain('warning: "crf" is low. Send -p crf=23.');
});

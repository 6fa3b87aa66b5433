import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { type Board, openBoard } from '../../scripts/demo/board.ts';

const JOB: JobView = {
  client: 'admin',
  jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10',
  status: 'PENDING',
  message: 'The job is queued for processing.',
  progress: 0,
  input: 'a.mp4',
  output: 'b.mp4',
  attempt: 0,
  maxAttempts: 3,
  createdAt: '2026-01-01T12:00:00.000Z',
  links: { self: '/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10', log: '/log' },
};
const at = (more: Partial<JobView>): JobView => ({ ...JOB, status: 'PROCESSING', phase: 'CONVERTING', ...more });

/** A screen that records its output, since tests have no terminal. */
function screen(isTTY: boolean): { board: Board; screenText: () => string } {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 120, rows: 40 });
  let written = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const board = openBoard(['480p to WebM', 'FLAC to AAC'], stream);
  onTestFinished(() => board.close());
  return { board, screenText: () => stripVTControlCharacters(written) };
}

const bar = (full: number): string => `${'━'.repeat(full)}${'─'.repeat(28 - full)}`;

test('on a terminal each job has a bar with its percent, speed and remaining time', async () => {
  const { board, screenText } = screen(true);
  await expect.poll(screenText).toContain(`480p to WebM  ${bar(0)}   0%  queued`);
  board.show(0, at({ progress: 25.4, speed: 3.21, etaSeconds: 65 }));
  board.show(1, at({ phase: 'STAGING' }));
  await expect.poll(screenText).toContain(`480p to WebM  ${bar(7)}  25%    3.2×  1:05 left`);
  await expect.poll(screenText).toContain(`FLAC to AAC   ${bar(0)}   0%  staging`);
  const finished = { startedAt: '2026-01-01T12:00:00.000Z', completedAt: '2026-01-01T12:00:03.400Z' };
  board.show(0, at({ ...finished, status: 'COMPLETED', progress: 100 }));
  board.show(
    1,
    at({ ...finished, status: 'FAILED', progress: 50, error: { code: 'TIMEOUT', message: 'It took too long.' } }),
  );
  board.close();
  expect(screenText()).toContain(`480p to WebM  ${bar(28)} 100%  done in 3.4 s`);
  expect(screenText()).toContain(`FLAC to AAC   ${bar(14)}  50%  TIMEOUT`);
});

test('without a terminal prints one line for each quarter of the progress', () => {
  const { board, screenText } = screen(false);
  for (const progress of [0, 10, 30, 31, 49, 60]) board.show(0, at({ progress, speed: 2, etaSeconds: 5 }));
  const lines = screenText().trimEnd().split('\n');
  expect(lines.map((line) => /\d+%/.exec(line)?.[0])).toEqual(['0%', '30%', '60%']);
  expect(lines[1]).toMatch(/^ {2}480p to WebM +30% +2\.0× +0:05 left$/);
});

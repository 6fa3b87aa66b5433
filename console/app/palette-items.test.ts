import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { fileItems, jobItems, pageItems, pathParts } from './palette-items.ts';

const PAGES = [
  { path: '/jobs', name: 'Jobs' },
  { path: '/operate/audit', name: 'Audit log' },
] as const;

test('a page is found by the beginning of each of its words', () => {
  expect(pageItems(PAGES, 'lo au').map(({ title }) => title)).toEqual(['Audit log']);
  expect(pageItems(PAGES, '')).toHaveLength(2);
  expect(pageItems(PAGES, 'dit')).toEqual([]);
});

const JOB = {
  jobId: '01a20306-1a3c-7722-840b-d37462a73614',
  status: 'COMPLETED',
  input: 'in.mov',
  output: 'web/out.mp4',
};

test('a job is found by its id, or by words of its paths', () => {
  const jobs = [JOB as Job];
  expect(jobItems([], JOB.jobId.toUpperCase())).toMatchObject([{ target: { to: 'job', jobId: JOB.jobId } }]);
  expect(jobItems(jobs, 'out mov')).toMatchObject([
    { title: 'web/out.mp4', detail: 'from in.mov', target: { to: 'job', jobId: JOB.jobId } },
    { target: { to: 'jobs', q: 'out mov' } },
  ]);
  // Older jobs may match.
  expect(jobItems(jobs, 'other')).toMatchObject([{ target: { to: 'jobs', q: 'other' } }]);
  expect(jobItems(jobs, '')).toEqual([]);
});

test('a file is found in the folder that was typed before it', () => {
  expect(pathParts('movies/in')).toEqual({ folder: 'movies/', q: 'in' });
  expect(pathParts('in')).toEqual({ folder: '', q: 'in' });
  const entries = [
    { type: 'file', path: 'movies/main.mov', sizeBytes: 1 },
    { type: 'folder', path: 'movies/in/' },
    { type: 'file', path: 'movies/out.mov', sizeBytes: 1 },
  ] as const;
  expect(fileItems(entries as never, 'in')).toEqual([
    { key: 'movies/in/', title: 'in', detail: 'movies/', target: { to: 'folder', folder: 'movies/in/' } },
    { key: 'movies/main.mov', title: 'main.mov', detail: 'movies/', target: { to: 'file', file: 'movies/main.mov' } },
  ]);
});

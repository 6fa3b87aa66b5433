import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { fileItems, jobItems, orderGroups, pageItems, pathParts, recipeItems } from './palette-items.ts';

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
  createdAt: '2026-11-22T10:00:00.000Z',
};

test('a job is found by its id, or by words of its paths', () => {
  const jobs = [JOB as Job];
  expect(jobItems([], JOB.jobId.toUpperCase())).toMatchObject([{ target: { to: 'job', jobId: JOB.jobId } }]);
  expect(jobItems(jobs, 'out mov')).toMatchObject([
    { title: 'web/out.mp4', detail: 'from in.mov', at: JOB.createdAt, target: { to: 'job', jobId: JOB.jobId } },
    { target: { to: 'jobs', q: 'out mov' } },
  ]);
  // Older jobs may match.
  expect(jobItems(jobs, 'other')).toMatchObject([{ target: { to: 'jobs', q: 'other' } }]);
  expect(jobItems(jobs, '')).toEqual([]);
});

test('jobs and files with all words come before recipes whose titles lack one', () => {
  const groups = (title: string) => [
    { name: 'Pages', items: [] },
    { name: 'Recipes', items: recipeItems([{ name: 'one', title }]) },
    { name: 'Files', items: [] },
    { name: 'Jobs', items: jobItems([JOB as Job], 'out') },
  ];
  const namesOf = (title: string) => orderGroups(groups(title), 'out').map(({ name }) => name);
  expect(namesOf('Crop to an aspect ratio')).toEqual(['Jobs', 'Recipes']);
  expect(namesOf('Cut out a part')).toEqual(['Recipes', 'Jobs']);
  const nothingFound = [
    { name: 'Recipes', items: recipeItems([{ name: 'compress', title: 'Make a video smaller' }]) },
    { name: 'Jobs', items: jobItems([], 'shrink it') },
  ];
  expect(orderGroups(nothingFound, 'shrink it').map(({ name }) => name)).toEqual(['Recipes', 'Jobs']);
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

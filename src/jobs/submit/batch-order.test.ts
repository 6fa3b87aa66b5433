import { expect, test } from 'vitest';
import { type NamedRequest, orderBatch } from './batch-order.ts';

const ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';
const request = (name?: string, ...after: readonly string[]): NamedRequest => ({
  ...(name !== undefined && { name }),
  ...(after.length > 0 && { after }),
});
const ordered = (...requests: readonly NamedRequest[]) => {
  const result = orderBatch(requests);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.order;
};
const errorsOf = (...requests: readonly NamedRequest[]) => {
  const result = orderBatch(requests);
  return 'errors' in result ? result.errors : [];
};

test('each request comes after those that it waits for, and knows all of them', () => {
  const { order, ancestors, levels } = ordered(request('c', 'b', 'a'), request('b', 'a'), request('a'), request());
  expect(order.indexOf(2)).toBeLessThan(order.indexOf(1));
  expect(order.indexOf(1)).toBeLessThan(order.indexOf(0));
  expect(ancestors).toEqual([new Set([1, 2]), new Set([2]), new Set(), new Set()]);
  expect(levels).toEqual([2, 1, 0, 0]);
});

test('a job id is in lower case, and a name that looks like one is a name', () => {
  expect(ordered(request('a', ID.toUpperCase())).parents).toEqual([[{ field: '/requests/0/after/0', jobId: ID }]]);
  expect(ordered(request('a', ID), request(ID)).parents[0]).toEqual([{ field: '/requests/0/after/0', index: 1 }]);
});

test('an unknown name of a request with "each" is one error, which leaves room for those of others', () => {
  const each = Array.from({ length: 100 }, () => ({ after: ['nobody'], index: 0 }));
  expect(errorsOf(...each, { after: ['somebody'], index: 1 }).map(({ field }) => field)).toEqual([
    '/requests/0/after/0',
    '/requests/1/after/0',
  ]);
});

test('a circle is shown with the names of its requests, or their indexes', () => {
  expect(errorsOf(request('a', 'a'))).toMatchObject([
    { field: '/requests/0/after/0', code: 'CIRCLE', message: expect.stringMatching(/: "a" after "a"\.$/) },
  ]);
  expect(errorsOf(request('x', 'a'), request('a', 'b'), request('b', 'a'))).toMatchObject([
    { field: '/requests/1/after/0', message: expect.stringMatching(/: "a" after "b" after "a"\.$/) },
  ]);
});

test('a chain of all requests is ordered', () => {
  const chain = Array.from({ length: 100 }, (_, i) => request(`${i}`, ...(i < 99 ? [`${i + 1}`] : [])));
  expect(ordered(...chain).order).toEqual(Array.from({ length: 100 }, (_, i) => 99 - i));
});

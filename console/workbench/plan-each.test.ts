import { ClientError } from '@telecine/client';
import { expect, test } from 'vitest';
import { planEach } from './plan-each.ts';

const problem = {
  ...{ type: '', title: '', status: 422, code: 'INVALID_REQUEST', detail: '', requestId: '' },
  errors: [{ field: '/output', code: 'INVALID', message: '' }],
};

/** Plans of which each ends when the test says so. */
function plansOf(count: number) {
  const all = Array.from({ length: count }, () => ({ ...Promise.withResolvers<unknown>(), isBegun: false }));
  return {
    all,
    begun: () => all.filter(({ isBegun }) => isBegun).length,
    plans: all.map((one) => () => {
      one.isBegun = true;
      return one.promise;
    }),
  };
}

test('several requests are planned two at a time, and an invalid one does not stop the others', async () => {
  const { all, begun, plans } = plansOf(4);
  const planned = planEach(plans, new AbortController().signal);
  expect(begun()).toBe(2);
  all[1]?.reject(new ClientError('rejected', 'Invalid.', { problem }));
  await expect.poll(begun).toBe(3);
  for (const each of all) each.resolve({});
  await planned;
  expect(begun()).toBe(4);
});

test('no further request is planned after the service has rejected one for its own reasons', async () => {
  const { all, begun, plans } = plansOf(4);
  const planned = planEach(plans, new AbortController().signal);
  all[0]?.reject(new ClientError('rejected', 'Too many requests.', { status: 429 }));
  all[1]?.resolve({});
  await planned;
  expect(begun()).toBe(2);
});

test('no further request is planned after the requests have changed', async () => {
  const { all, begun, plans } = plansOf(4);
  const changed = new AbortController();
  const planned = planEach(plans, changed.signal);
  changed.abort();
  for (const each of all) each.resolve({});
  await planned;
  expect(begun()).toBe(2);
});

import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../../test/support/media-root.ts';
import { requestBudget } from './request-limit.ts';

const ROOT = mediaRoot('/srv/media');

/** A budget at a clock that the test sets. */
function harness(policy: ClientLimits) {
  const clock = { ms: 0 };
  const budget = requestBudget(() => clock.ms);
  const caller = (clientId: string) => ({ clientId, policy, scopes: [], root: ROOT });
  const fields = new Map<string, string>();
  const reply = {
    header(name: string, value: string) {
      fields.set(name, value);
      return this;
    },
  };
  const request = (clientId = 'amy') => budget.countRequest(caller(clientId), reply as never);
  return { budget, caller, clock, fields, request };
}

test('a client has the requests of a minute at once, and gets them back evenly', () => {
  const { clock, fields, request } = harness({ requests: 60 });
  for (let i = 0; i < 60; i += 1) request();
  expect(request).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 1 }));
  expect(Object.fromEntries(fields)).toEqual({
    'ratelimit-policy': '"requests";q=60;w=60',
    ratelimit: '"requests";r=0;t=60',
  });
  request('bob');
  clock.ms += 2000;
  request();
  request();
  expect(request).toThrow('60 requests a minute');
  clock.ms += 3_600_000;
  for (let i = 0; i < 60; i += 1) request();
  expect(request).toThrow('60 requests a minute');
});

test('a reply may be larger than what is left; then its client waits for it, but for no more than a minute', () => {
  const { budget, caller, clock, request } = harness({ replies: 6000 });
  budget.countReply(caller('amy'), 6100);
  expect(request).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 2 }));
  expect(budget.msUntilReplies(caller('amy'))).toBe(1010);
  request('bob');
  clock.ms += 1100;
  request();
  expect(budget.msUntilReplies(caller('amy'))).toBe(0);
  for (let i = 0; i < 100; i += 1) budget.countReply(caller('amy'), 6000);
  clock.ms += 60_100;
  request();
});

test('a client without limits is not counted', () => {
  const { budget, caller, fields, request } = harness({});
  for (let i = 0; i < 100; i += 1) request();
  budget.countReply(caller('amy'), 1e12);
  request();
  expect(fields.size).toBe(0);
});

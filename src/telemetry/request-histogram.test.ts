import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { requestHistogram } from './request-histogram.ts';

test('the text is that of a histogram of prom-client', async () => {
  const [name, help, buckets] = ['request_seconds', 'How long they take.', [0.001, 0.25, 1, 30]] as const;
  const [ours, theirs] = [new Registry(), new Registry()];
  const { observe, metric } = requestHistogram({ name, help }, buckets);
  ours.registerMetric(metric);
  const labelNames = ['method', 'route', 'status'] as const;
  const reference = new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [theirs] });
  for (const [method, route, status, seconds] of [
    ['POST', '/api/conversion', 202, 0.0004],
    ['POST', '/api/conversion', 202, 0.001],
    ['POST', '/api/conversion', 400, 0.3],
    ['GET', '/api/job/:jobId', 200, 31],
    ['POST', '/api/conversion', 202, 2],
    ['GET', undefined, 404, 0.01],
    ['GET', '/api/conversion', 202, 0.1 + 0.2],
  ] as const) {
    observe({ method, route, status, seconds });
    reference.observe({ method, route: route ?? 'none', status }, seconds);
  }
  const lines = async (registry: Registry) => (await registry.metrics()).split('\n').toSorted();
  expect(await lines(ours)).toEqual(await lines(theirs));
});

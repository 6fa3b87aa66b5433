import { expect, test } from 'vitest';
import { scanCosts } from './scan-costs.ts';

const scanned = (endedMs: number, processorMs: number) => ({ deep: { endedMs, processorMs } });

test('the cost of a folder is kept for its client only', () => {
  const costs = scanCosts();
  costs.keep('amy', 'in/', scanned(0, 20_000));
  // Another watch of the same folder costs little, because it looks at no subfolders.
  costs.keep('amy', 'in/', scanned(10, 1));
  expect(costs.of('amy', 'in/').deep).toMatchObject({ endedMs: 10, processorMs: expect.closeTo(20_000, -1) });
  expect(costs.of('amy', 'in/a/')).toEqual({});
  expect(costs.of('bob', 'in/')).toEqual({});
});

test('cheap folders do not displace a costly one, however many there are', () => {
  const costs = scanCosts(2);
  costs.keep('amy', 'large/', scanned(0, 20_000));
  costs.keep('amy', 'none/', {});
  for (let i = 0; i < 5; i += 1) costs.keep('amy', `${i}/`, scanned(1000 * i, 1));
  expect(costs.of('amy', 'large/')).toEqual(scanned(0, 20_000));
  expect(costs.of('amy', '3/')).toEqual({});
  expect(costs.of('amy', '4/')).toEqual(scanned(4000, 1));
});

import { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { addOperationVerbs } from './operation-verbs.ts';

test('says the largest limit of a list that has more items', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'log').mockReturnValue();
  const shares = new Command('shares');
  addOperationVerbs(shares, {}, async () => ({
    call: async () => ({ shares: [{ shareId: 'one' }], nextCursor: 'next' }),
    [Symbol.asyncDispose]: async () => {},
  }));
  await shares.parseAsync(['list', '--limit', '1'], { from: 'user' });
  expect(print).toHaveBeenCalledWith('There are more. Add a larger --limit, up to 200, or options that select fewer.');
});

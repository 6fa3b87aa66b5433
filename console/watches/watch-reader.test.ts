import { expect, test } from 'vitest';
import { watchReader } from './watch-reader.ts';

test('events during a read lead to one more read after it', async () => {
  let reads = 0;
  let end = (): void => undefined;
  const read = watchReader({
    invalidateQueries: () => {
      reads += 1;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    },
  });
  const endRead = async (): Promise<void> => {
    end();
    await new Promise((resolve) => setTimeout(resolve));
  };
  for (let i = 0; i < 5; i += 1) read();
  expect(reads).toBe(1);
  await endRead();
  expect(reads).toBe(2);
  await endRead();
  expect(reads).toBe(2);
  read();
  expect(reads).toBe(3);
});

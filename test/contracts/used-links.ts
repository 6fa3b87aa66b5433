import { describe, expect, test } from 'vitest';
import type { Engine } from './engine.ts';

const inAnHour = () => new Date(Date.now() + 3_600_000);

export function usedLinksContract(engine: Engine): void {
  describe(`used links on ${engine.name}`, () => {
    test('one of many uploads at the same time may use a link, and no later one', async () => {
      const { usedLinks } = await engine.openStore();
      const uses = await Promise.all(Array.from({ length: 10 }, () => usedLinks.use('link', inAnHour())));
      expect(uses.filter(Boolean)).toHaveLength(1);
      expect(await usedLinks.use('link', inAnHour())).toBe(false);
      expect([await usedLinks.isUsed('link'), await usedLinks.isUsed('other')]).toEqual([true, false]);
    });

    test('a link whose upload failed can be used again', async () => {
      const { usedLinks } = await engine.openStore();
      await usedLinks.use('link', inAnHour());
      await usedLinks.release('link');
      expect(await usedLinks.isUsed('link')).toBe(false);
      expect(await usedLinks.use('link', inAnHour())).toBe(true);
    });

    test('keeps the mark of a link for a day after its end, and not for two', async () => {
      const { usedLinks } = await engine.openStore();
      const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
      await usedLinks.use('yesterday', hours(23));
      // Nobody can tell any more whether the link was used.
      expect(await usedLinks.use('earlier', hours(25))).toBe(false);
      expect([await usedLinks.isUsed('yesterday'), await usedLinks.isUsed('earlier')]).toEqual([true, false]);
    });
  });
}

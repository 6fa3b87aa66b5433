/** Divides a wish from the values that go with it. */
export const WISH_SEPARATOR = ', ';

/** Whether a search is for a wish, with or without values. */
export const isForWish = (text: string, wish: string): boolean =>
  text === wish || text.startsWith(`${wish}${WISH_SEPARATOR}`);

/** The values that go with a wish. */
export const withoutWish = (text: string, wish: string): string => text.slice(wish.length + WISH_SEPARATOR.length);

/** The longest path of a page. With what else belongs to a sign-in, it fits in a cookie, which has at most 4,096 bytes. */
const LONGEST = 1000;

/** Whether a text leads to a page of this service, however a browser reads it: `//host` and `/\host` lead to other hosts. */
export const isOwnPath = (text: string): boolean =>
  text.length <= LONGEST && /^\/(?![/\\])[\x21\x22\x24-\x5b\x5d-\x7e]*$/.test(text);

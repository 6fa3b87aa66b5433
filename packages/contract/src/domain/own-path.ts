/** The maximum length of a page path. Together with the other data of a sign-in, it fits in a cookie, which has at most 4,096 bytes. */
const LONGEST = 1000;

/** Whether every browser reads a text as a page of this service. `//host` and `/\host` lead to other hosts. */
export const isOwnPath = (text: string): boolean =>
  text.length <= LONGEST && /^\/(?![/\\])[\x21\x22\x24-\x5b\x5d-\x7e]*$/.test(text);

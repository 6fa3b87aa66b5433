/** The path, on Linux, of an open file or folder of the process that uses the path. It leads there whatever is renamed. */
export const descriptorPath = (fd: number): string => `/proc/self/fd/${fd}`;

/** The ids of programs that this process has started and that run on after a test file, such as the common service. */
export const lastingPrograms = new Set<number>();

/** The shortest and the longest chunk of a conversion, in seconds. Shorter ones would cost more than they save. */
export const CHUNK_SECONDS = { min: 2, max: 3600 } as const;

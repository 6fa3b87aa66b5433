/** Options that choose a part of the video. A preview removes them, because it chooses its own part. */
export const PARTS: readonly string[] = ['ss', 'sseof', 't', 'to', 'fs', 'frames', 'frames:v', 'vframes'];

/** Options that give an output the times of its source. A preview removes them, because it counts from 0. */
export const SOURCE_TIMES: readonly string[] = ['copyts', 'start_at_zero'];

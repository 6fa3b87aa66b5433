/** Options that choose a part of the video. A preview removes them, because it chooses its own part. */
export const PARTS: readonly string[] = ['ss', 'sseof', 't', 'to', 'fs', 'frames', 'frames:v', 'vframes'];

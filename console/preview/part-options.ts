/** Options that choose a part of the video: the preview chooses another one. */
export const PARTS: readonly string[] = ['ss', 'sseof', 't', 'to', 'fs', 'frames', 'frames:v', 'vframes'];

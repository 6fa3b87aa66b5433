/** Encodes aim at this share of `maxSize` and `maxBitrate`: samples only estimate the full video, and the container needs some bytes. */
export const AIM = 0.97;

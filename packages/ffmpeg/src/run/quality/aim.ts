/** The share of `maxSize` and `maxBitrate` at which encodes aim, because samples only estimate the whole, and for the container. */
export const AIM = 0.97;

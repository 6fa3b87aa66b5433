/** Steps of publishing after which the disk has changed; tests end the process there. */
export type MediaPoint = 'noted' | 'probed' | 'copied' | 'reserved' | 'linked' | 'renamed' | 'removed';

export type At = (point: MediaPoint) => void;

/** Steps of publishing after which the disk has changed; tests end the process there. */
export type PublishStep = 'noted' | 'probed' | 'copied' | 'reserved' | 'linked' | 'renamed' | 'removed';

export type Failpoint = (point: PublishStep) => void;

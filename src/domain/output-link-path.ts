/**
 * The path of an output in the URL of a signed link: a path in a media root as it is, `s3://bucket/key` as `bucket/key`,
 * because proxies merge slashes. Unique among the outputs of one job.
 */
export const outputLinkPath = (path: string): string => path.replace(/^s3:\/\//, '');

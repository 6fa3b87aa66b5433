/**
 * The path of an output in the URL of a signed link: a path in a media root as it is, `s3://bucket/key` as `bucket/key`,
 * because proxies merge slashes. Unique among the outputs of one job: the planner puts all of them into the folder of the
 * `output`, so that they are all in one bucket, or all in the media root.
 */
export const outputLinkPath = (path: string): string => path.replace(/^s3:\/\//, '');

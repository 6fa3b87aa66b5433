import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';

/**
 * The metadata of an object that a job published; its value is the fingerprint of the output. An ETag would not do: it is
 * known only after publishing, and it is not a hash of the content if the store encrypts it.
 */
export const OUTPUT_METADATA = 'telecine-output';

/** Whether an object is the output that a job published with this fingerprint. */
export const isOutputObject = ({ Metadata }: HeadObjectCommandOutput, fingerprint: string | undefined): boolean =>
  fingerprint !== undefined && Metadata?.[OUTPUT_METADATA] === fingerprint;
